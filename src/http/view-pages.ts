// The viewer: one page and its files, which `npm run build` makes. They hold nothing of the memory, so they need no token;
// a page of another site cannot load them (src/http/guard.ts).
import { readdirSync } from 'node:fs';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { readRegularFile } from '../platform/regular-file.ts';
import type { Guard } from './guard.ts';
import { HttpError } from './http-error.ts';

const FILE_BYTES_MAX = 4 * 1024 * 1024;

/** No inline script or style, no other origin, and no code that makes HTML of a text: `trusted-types 'none'`. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/**
 * No Cross-Origin-Opener-Policy: another site cannot open the page (src/http/guard.ts), and with it the browser starts
 * another process, which doubles the time to the first paint.
 */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': PAGE_POLICY,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

interface PageFile {
  readonly bytes: Buffer;
  readonly type: string;
}

/** @param folder of the built viewer */
export function serveViewer(app: Hono<{ Bindings: HttpBindings }>, folder: string, guard: Guard): void {
  let files: ReadonlyMap<string, PageFile> | undefined;
  const answer = (name: string, caching: string): Response => {
    files ??= readFiles(folder);
    const file = files.get(name);
    if (file === undefined) throw new HttpError(404, 'NOT_FOUND', 'The viewer has no such file.');
    const headers = { ...HEADERS, 'cache-control': caching, 'content-type': file.type };
    return new Response(new Uint8Array(file.bytes), { headers });
  };
  app.get('/', ({ env }) => {
    guard.check(env.incoming, 'open');
    return answer('index.html', 'no-cache');
  });
  // Their names change with their content.
  app.get('/assets/:name', ({ env, req }) => {
    guard.check(env.incoming, 'open');
    return answer(`assets/${req.param('name')}`, 'private, max-age=31536000, immutable');
  });
}

/** The page and its files. No request names a path on disk. @throws HttpError 404: not built */
function readFiles(folder: string): ReadonlyMap<string, PageFile> {
  const page = fileAt(folder, 'index.html');
  const names = readdirSync(`${folder}/assets`).map((name) => `assets/${name}`);
  return new Map([['index.html', page], ...names.map((name) => [name, fileAt(folder, name)] as const)]);
}

function fileAt(folder: string, name: string): PageFile {
  const file = readRegularFile(`${folder}/${name}`, { bytesMax: FILE_BYTES_MAX, followLinks: true });
  if ('why' in file)
    throw new HttpError(404, 'NOT_FOUND', 'The viewer is not built.', { hint: 'Run `npm run build`.' });
  return {
    bytes: file.bytes,
    type: TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
  };
}
