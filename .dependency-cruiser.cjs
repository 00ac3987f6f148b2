// The import direction: log <- projections <- src; inside src: platform <- config, capture, search <- annals <- cli.
// `npm test` fails on a wrong arrow or a circle.
const layer = (name, from, to, why) => ({
  name,
  severity: 'error',
  comment: why,
  from: { path: from },
  to: { path: to },
});

module.exports = {
  forbidden: [
    {
      name: 'no-circle',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    layer('log-knows-nobody', '^log/', '^(projections|src)/', 'The log is the bottom layer.'),
    layer(
      'projections-know-only-the-log',
      '^projections/',
      '^src/',
      'Projections are pure views of the log.',
    ),
    layer(
      'platform-knows-nobody',
      '^src/platform/',
      '^(projections|src/(?!platform))',
      'Platform touches the machine, nothing of ours.',
    ),
    layer(
      'capture-does-not-read',
      '^src/capture/',
      '^src/(search|cli|annals)',
      'Capture writes; readers stand above it.',
    ),
    layer('search-does-not-capture', '^src/search/', '^src/(capture|cli|annals)', 'Search reads views only.'),
    layer(
      'only-the-library-below-the-cli',
      '^src/cli/',
      '^(log|projections)/(?!index\\.ts$|.*\\.d\\.ts$)',
      'The command line uses the library and public types.',
    ),
    layer(
      'rendering-knows-no-command',
      '^src/render/',
      '^src/(cli|capture|operations|annals)',
      'What is drawn is drawn the same for every surface.',
    ),
    layer(
      'product-does-not-import-tests',
      '^(log|projections|src)/',
      '^(tests|bench)/',
      'Tests stand outside.',
    ),
    {
      name: 'no-orphan-dependency',
      severity: 'error',
      from: { path: '^(log|projections|src)/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs', '.json'] },
  },
};
