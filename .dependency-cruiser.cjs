// The import direction: log <- projections <- src; inside src: platform <- config, capture, embedders, home <- features
// <- annals <- cli. Core modules of Node that touch the machine are limited to the modules listed here. `npm test` fails on
// a forbidden or a circular import; tests/repository/folders.test.ts checks circles between folders.
const rule = (name, from, to, why) => ({ name, severity: 'error', comment: why, from, to });
const layer = (name, from, to, why) => rule(name, { path: from }, { path: to }, why);
const core = (name, modules, allowed, why) =>
  rule(
    name,
    { path: '^(log|projections|src)/', pathNot: allowed.map((path) => `^${path}`) },
    { dependencyTypes: ['core'], path: `^(node:)?(${modules})(/promises)?$` },
    why,
  );

module.exports = {
  forbidden: [
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    layer('log-knows-nobody', '^log/', '^(projections|src)/', 'The log is the bottom layer.'),
    layer(
      'projections-know-only-the-log',
      '^projections/',
      '^src/',
      'Projections are pure views of the log.',
    ),
    layer(
      'indexes-know-documents-only',
      '^projections/(text|vectors|project-indexes)/',
      '^projections/(memory|memory-indexes|sessions|extract|context|projects)/',
      'The indexes can be tested, replaced and measured without any view.',
    ),
    layer(
      'platform-knows-nobody',
      '^src/platform/',
      '^(projections|src/(?!platform))',
      'It touches the machine, nothing of ours.',
    ),
    layer(
      'capture-does-not-read',
      '^src/(capture|agents)/',
      '^src/(search|brief|read|cli|annals)',
      'Capture writes; readers are above it.',
    ),
    rule(
      'mcp-holds-no-log',
      { path: '^src/mcp/' },
      { path: '^(log|projections)/', dependencyTypesNot: ['type-only'] },
      'The program of the protocol is built without the log: with it, the schema library is loaded in a wrong order.',
    ),
    layer('search-does-not-capture', '^src/search/', '^src/(capture|cli|annals)', 'Search reads views only.'),
    layer(
      'cli-uses-the-library',
      '^src/cli/',
      '^(log|projections)/(?!index\\.ts$|.*\\.d\\.ts$)',
      'The command line uses the library and public types.',
    ),
    layer(
      'text-for-terminals-knows-no-command',
      '^src/(brief/(lines|sections)|terminal-text)/',
      '^src/(cli|capture|home|annals)',
      'The same text for every surface.',
    ),
    rule(
      'viewer-knows-types-only',
      { path: '^src/viewer/' },
      {
        path: '^(log|projections|src/(?!viewer/))',
        // Names of tools and of their fields.
        pathNot: '^projections/tools/',
        dependencyTypesNot: ['type-only'],
      },
      'A page in a browser: it knows the forms of answers, and nothing that runs in Node.',
    ),
    layer(
      'nobody-imports-the-viewer',
      '^(log|projections|src/(?!viewer/))',
      '^src/viewer/',
      'The worker serves its built files.',
    ),
    rule(
      'viewer-rooms-do-not-import-each-other',
      { path: '^src/viewer/(now|search|sessions|session|item|project|forget|health|settings)/' },
      {
        path: '^src/viewer/(now|search|sessions|session|item|project|forget|health|settings|[^/]+$)',
        pathNot: '^src/viewer/$1/',
      },
      'A screen is one room; what several need is in ui/ or api/.',
    ),
    layer(
      'product-does-not-import-tests',
      '^(log|projections|src)/',
      '^(tests|bench)/',
      'Tests are outside.',
    ),
    rule(
      'features-do-not-import-each-other',
      { path: '^src/(import|search|brief|recall|read|forget|transfer|embed|save|http|mcp)/' },
      {
        path: '^src/(import|search|brief|recall|read|forget|transfer|embed|save)/',
        pathNot: [
          '^src/$1/',
          // Used by several features on purpose.
          '^src/embed/embedders/',
          '^src/search/index\\.ts$',
          '^src/(read/(resolve-id|show-item|past-views)|forget/(index|private-turns|forgotten-(injections|requests|vectors))|transfer/(export-folder|merge-export)|embed/embed-reactor)\\.ts$',
          '^src/(brief/(start-answer|escape-for-prompt|whose-words|lines/(brief|brief-lines|informative-text|near-duplicate-lines))|search/(search-home|find-evidence))\\.ts$',
        ],
      },
      'A feature is one folder, from its library call to its helpers.',
    ),
    core(
      'files-only-where-listed',
      'fs',
      [
        'src/platform/',
        'src/install/(settings-file|installation|home-scripts|made-files|find-agents)\\.ts$',
        'src/config/edit-settings\\.ts$',
        'src/context-file/context-file\\.ts$',
        // The command: its own package, the folder of transcripts, a passphrase file.
        'src/cli/(main|package|passphrase|commands/up)\\.ts$',
        // Transcripts, the spool.
        'src/agents/claude-code/(reader-world|subagent-access)\\.ts$',
        'src/agents/(index|find-transcripts|declared/check-description|common/(open-records|transcript-reader))\\.ts$',
        'src/capture/spool/(shown-session|spool-files|write-to-spool)\\.ts$',
        'src/session-start/ready-file\\.ts$',
        'src/brief/ready-files\\.ts$',
        'src/service/install-service\\.ts$',
        'src/doctor/(home|claude|machine)-checks\\.ts$',
        'src/capture/transcripts/(discover|file-cursor|file-identity|first-folder|line-pages)\\.ts$',
        'src/import/(import-file|from/.*)\\.ts$',
        // The files of the built viewer.
        'src/http/view-pages\\.ts$',
        // The worker: its socket and its log, and the folders that it watches.
        'src/worker/(worker-files|recall-sockets|worker-log|watch-home|watch-spool|watch-folders|watch-transcripts)\\.ts$',
        // Model files and installed packages.
        'src/embed/embedders/(default-embedder|minilm|model-fingerprint|packages)\\.ts$',
      ],
      'log and projections get their files passed in; other modules use src/platform.',
    ),
    core(
      'network-and-processes-only-in-platform',
      'https?|http2|net|tls|dgram|dns|child_process|cluster',
      ['src/platform/'],
      'What leaves the machine is decided in one place.',
    ),
    core(
      'threads-only-where-listed',
      'worker_threads',
      [
        'src/platform/',
        'src/home-thread\\.ts$',
        'log/log\\.ts$',
        'log/verify/scan-thread\\.ts$',
        'src/forget/search-thread\\.ts$',
        'src/share/keys/event-thread\\.ts$',
        'src/embed/embedders/minilm(-thread)?\\.ts$',
      ],
      'A thread is a resource with an owner.',
    ),
    rule(
      'sdk-loaded-late',
      { path: '^(log|projections|src)/', pathNot: '^src/observer/providers/anthropic-sdk\\.ts$' },
      {
        path: '(node_modules/@anthropic-ai/|/anthropic-sdk\\.ts$)',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
      'Only the first request to Anthropic loads its SDK.',
    ),
    rule(
      'no-orphan-dependency',
      { path: '^(log|projections|src)/' },
      {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'],
        dependencyTypesNot: ['type-only'],
      },
      'A package that is not in package.json can vanish.',
    ),
    layer(
      'product-does-not-load-tools',
      '^(log|projections|src)/',
      'node_modules/(@biomejs|@types|axe-core|dependency-cruiser|esbuild|fast-check|playwright-core|typescript|vite|vitest)/',
      'The packages that the build bundles are development dependencies too; these are not for the product.',
    ),
    rule(
      'page-packages-only-in-the-viewer',
      { path: '^(log|projections|src)/', pathNot: '^src/viewer/' },
      { path: 'node_modules/(marked|minisearch|preact|uplot)/' },
      'They are for the page in the browser.',
    ),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
