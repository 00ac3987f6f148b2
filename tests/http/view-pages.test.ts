import { expect, test } from 'vitest';
import { served } from './served.ts';

test('the page has a strict policy, is asked for again each time, and its files are kept', async () => {
  const { call } = await served();
  const page = await call('GET', '/', { token: null });
  expect(page.status).toBe(200);
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const policy = page.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).toContain("trusted-types 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|data:|\*/);
  expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style|style=| on\w+=/);
  const assets = [...page.text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  expect(assets.length).toBeGreaterThan(1);
  for (const path of assets) {
    const file = await call('GET', path, { token: null });
    expect([file.status, file.headers.get('cache-control')], path).toEqual([
      200,
      'private, max-age=31536000, immutable',
    ]);
  }
});

test('no path leads to another file', async () => {
  const { call } = await served();
  for (const path of [
    '/assets/..%2findex.html',
    '/assets/index.html',
    '/assets/%2e%2e%2f%2e%2e%2fcli.cjs',
    '/assets/',
  ])
    expect((await call('GET', path)).status, path).toBe(404);
  expect((await call('GET', '/', { token: null, headers: { origin: 'https://evil.example' } })).status).toBe(
    403,
  );
  expect((await call('POST', '/', { token: null })).status).toBe(401);
});

test('without a built viewer the page says how to build it', async () => {
  const { call } = await served({ viewer: '/nowhere' });
  const answer = await call('GET', '/');
  expect([answer.status, answer.json.error.hint]).toEqual([404, 'Run `npm run build`.']);
});
