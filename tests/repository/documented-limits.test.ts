// docs/trust.md says how much of each input is read.
import { expect, test } from 'vitest';
import { MANIFEST_BYTES_MAX } from '../../log/merge/manifest.ts';
import { PAYLOAD_BYTES_MAX } from '../../src/capture/spool/spool-files.ts';
import { LINE_BYTES_MAX } from '../../src/capture/transcripts/line-splitter.ts';
import { SETTINGS_BYTES_MAX } from '../../src/install/settings-file.ts';
import { read } from './source-files.ts';

test.each([
  ['files of the spool', PAYLOAD_BYTES_MAX],
  ['transcripts', LINE_BYTES_MAX],
  ['the settings of an agent', SETTINGS_BYTES_MAX],
  ['an export', MANIFEST_BYTES_MAX],
])('the limit of %s is that of the code', (input, bytes) => {
  const line = read('docs/trust.md')
    .split('\n')
    .find((one) => one.startsWith(`| ${input}`));
  expect(line?.split('|')[2]?.trim()).toMatch(new RegExp(`^${bytes / 2 ** 20} MiB\\b`));
});
