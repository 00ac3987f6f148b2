// Where a Chromium is installed.
import { existsSync } from 'node:fs';

const PLACES = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Undefined if none is installed. */
export const chromiumPath: string | undefined = PLACES.find((path) => path !== '' && existsSync(path));
