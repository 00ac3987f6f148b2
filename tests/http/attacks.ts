// Hostile HTTP requests, made from a seed as raw bytes: wrong tokens, foreign pages, traversal, huge and slow bodies, broken
// JSON, a capture token that reads, header tricks.
import { type Chance, chance } from '../helpers/chance.ts';
import { CAPTURE_TOKEN, TOKEN } from './served.ts';

export interface Attack {
  readonly kind: string;
  readonly bytes: Buffer;
  /** The rest of the request never comes. */
  readonly stalls: boolean;
}

type Headers = readonly (readonly [name: string, value: string])[];

interface RawRequest {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  /** null: none. */
  readonly host?: string | null;
  readonly token?: string | null;
  readonly headers?: Headers;
  readonly body?: string | Buffer;
}

const READS = [
  '/api/status',
  '/api/search?q=axolotl',
  '/api/timeline',
  '/api/sessions',
  '/api/turns',
  '/api/observations',
  '/api/summaries',
  '/api/prompts',
  '/api/memories',
  '/api/projects',
  '/api/stats',
  '/api/context?project=feeder',
  '/api/session/start?project=feeder',
  '/api/settings',
  '/api/logs',
  '/api/stream?after=0',
  '/api/openapi.json',
];
const ACTS: readonly (readonly [string, string, string])[] = [
  ['POST', '/api/save', '{"title":"attack","text":"attack"}'],
  ['POST', '/api/agents/plan', '{"agents":["codex"],"installs":true}'],
  ['POST', '/api/forget/plan', '{"selection":{"project":"feeder"}}'],
  ['POST', '/api/rebuild', '{}'],
  ['POST', '/api/verify', '{}'],
  ['PUT', '/api/settings', '{"exclude":["/**"]}'],
  ['POST', '/api/stop', ''],
  ['POST', '/api/restart', ''],
];
const CAPTURES: readonly (readonly [string, string, string])[] = [
  ['POST', '/api/session/prompt', '{"session":"attack","text":"attack"}'],
  ['POST', '/api/session/observation', '{"session":"attack","tool":"Bash"}'],
  ['POST', '/api/session/end', '{"session":"attack"}'],
  ['POST', '/hooks/claude-code', '{"hook_event_name":"UserPromptSubmit","prompt":"attack"}'],
];

const JSON_TYPE = ['Content-Type', 'application/json'] as const;

/** The attack of a seed, for a server on this port. */
export function attackOf(seed: number, port: number): Attack {
  const luck = chance(seed);
  const makers = Object.entries(MAKERS);
  const [kind, make] = makers[seed % makers.length]!;
  const made = make(luck, port);
  if (Buffer.isBuffer(made)) return { kind, bytes: made, stalls: false };
  if ('stalls' in made) return { kind, ...made };
  return { kind, bytes: requestBytes(made, port), stalls: false };
}

const pick = <T>(among: readonly T[], { below }: Chance): T => among[below(among.length)]!;

/** Any route that needs a token. */
function anyRoute(luck: Chance): RawRequest {
  if (luck.below(2) === 0) return { target: pick(READS, luck) };
  const [method, target, body] = pick([...ACTS, ...CAPTURES], luck);
  return { method, target, body, headers: [JSON_TYPE] };
}

const MAKERS: Readonly<
  Record<string, (luck: Chance, port: number) => RawRequest | Buffer | Omit<Attack, 'kind'>>
> = {
  'wrong token': (luck) => {
    const route = anyRoute(luck);
    const wrong: readonly (() => RawRequest)[] = [
      () => ({ ...route, token: null }),
      () => ({ ...route, token: TOKEN.slice(0, luck.below(TOKEN.length)) }),
      () => ({ ...route, token: `${TOKEN}${pick(['x', '=', '\u00a0', ',', '%00'], luck)}` }),
      () => ({ ...route, token: TOKEN.toUpperCase() }),
      () => ({ ...route, token: 'x'.repeat(1 + luck.below(5_000)) }),
      () => ({ ...route, token: `${TOKEN} ${TOKEN}` }),
      () => ({ ...route, token: null, target: withQuery(route, `token=${TOKEN}&access_token=${TOKEN}`) }),
      () => ({ ...route, token: null, headers: [...(route.headers ?? []), ['Cookie', `token=${TOKEN}`]] }),
      () => ({ ...route, token: null, headers: [...(route.headers ?? []), ['X-Api-Key', TOKEN]] }),
      () => ({
        ...route,
        token: null,
        headers: [
          ...(route.headers ?? []),
          ['Authorization', `Basic ${Buffer.from(`:${TOKEN}`).toString('base64')}`],
        ],
      }),
      () => ({ ...route, token: null, headers: [...(route.headers ?? []), ['Authorization', TOKEN]] }),
      () => ({
        ...route,
        token: 'x'.repeat(40),
        headers: [...(route.headers ?? []), ['Authorization', `Bearer ${TOKEN}`]],
      }),
    ];
    return pick(wrong, luck)();
  },
  'foreign host': (luck, port) => ({
    ...anyRoute(luck),
    host: pick(
      [
        'evil.example',
        `evil.example:${port}`,
        `127.0.0.1.evil.example:${port}`,
        `127.0.0.1:${port + 1}`,
        '127.0.0.1',
        'localhost',
        `localhost.:${port}`,
        `[::1]:${port}`,
        `0.0.0.0:${port}`,
        `127.1:${port}`,
        `2130706433:${port}`,
        `127.0.0.1:0${port}`,
        `user@127.0.0.1:${port}`,
        `127.0.0.1:${port}@evil.example`,
        `127.0.0.1:${port}, evil.example`,
        `127.0.0.1:${port}/`,
        '',
        ' ',
        null,
      ],
      luck,
    ),
    headers: [...(anyRoute(luck).headers ?? []), ['X-Forwarded-Host', `127.0.0.1:${port}`]],
  }),
  'foreign origin': (luck, port) => {
    const route = anyRoute(luck);
    const header = pick<readonly [string, string]>(
      [
        ['Origin', 'https://evil.example'],
        ['Origin', 'null'],
        ['Origin', ''],
        ['Origin', `https://127.0.0.1:${port}`],
        ['Origin', `http://127.0.0.1:${port + 1}`],
        ['Origin', 'http://127.0.0.1'],
        ['Origin', `http://127.0.0.1:${port}.evil.example`],
        ['Origin', `http://evil.example#http://127.0.0.1:${port}`],
        ['Origin', 'file://'],
        ['Origin', `ftp://localhost:${port}`],
        ['Origin', 'chrome-extension://abcdef'],
        ['Sec-Fetch-Site', 'cross-site'],
        ['Sec-Fetch-Site', 'same-site'],
        ['Sec-Fetch-Site', ''],
      ],
      luck,
    );
    return { ...route, headers: [...(route.headers ?? []), header] };
  },
  traversal: (luck) => {
    const dots = pick(
      [
        '..',
        '%2e%2e',
        '%2E.',
        '..%2f',
        '..%5c',
        '..\\',
        '....//',
        '%252e%252e',
        '..;',
        '%c0%ae%c0%ae',
        '..%00',
      ],
      luck,
    );
    const tail = pick(
      ['etc/passwd', 'worker.json', 'config.json', 'log/CURRENT', 'spool/new', 'root/.ssh/id_rsa'],
      luck,
    );
    const way = `${dots}/`.repeat(1 + luck.below(6)) + tail;
    const target = pick(
      [
        `/${way}`,
        `/api/items/${way}`,
        `/api/items/${encodeURIComponent(way)}`,
        `/api/items/${encodeURIComponent(`/${tail}`)}/why`,
        `/hooks/${encodeURIComponent(way)}`,
        `/hooks/${way}`,
        `/api/logs/${way}`,
        `/api//${way}`,
        `//${way}`,
        `/api/items/%00${tail}`,
        `/api/items/${'a'.repeat(9_000)}`,
      ],
      luck,
    );
    return { target, method: target.startsWith('/hooks') ? 'POST' : 'GET', body: '{}', headers: [JSON_TYPE] };
  },
  'huge body': (luck) => {
    const [method, target] = pick([...ACTS.slice(0, 5), ...CAPTURES], luck);
    const large = 5 * 1024 * 1024 + 1 + luck.below(1_000_000);
    const head = { method, target, headers: [JSON_TYPE] };
    switch (luck.below(4)) {
      case 0:
        return { ...head, headers: [JSON_TYPE, ['Content-Length', String(10 ** (8 + luck.below(7)))]] };
      case 1:
        return { ...head, headers: [JSON_TYPE, ['Content-Length', '-1']] };
      case 2:
        return { ...head, body: Buffer.alloc(large, 0x20) };
      default:
        return {
          ...head,
          headers: [JSON_TYPE, ['Transfer-Encoding', 'chunked']],
          body: chunked(Buffer.alloc(large, 0x5b)),
        };
    }
  },
  'slow body': (luck, port) => {
    const [method, target] = pick([...ACTS.slice(0, 5), ...CAPTURES], luck);
    const whole = requestBytes({ method, target, headers: [JSON_TYPE, ['Content-Length', '500']] }, port);
    const stalls = luck.below(3);
    // In the headers, in the body, after nothing.
    const bytes =
      stalls === 0
        ? whole.subarray(0, 1 + luck.below(whole.length - 2))
        : stalls === 1
          ? Buffer.concat([whole, Buffer.from('{"title":'.slice(0, 1 + luck.below(9)))])
          : Buffer.alloc(0);
    return { bytes, stalls: true };
  },
  'broken JSON': (luck) => {
    const [method, target] = pick([...ACTS.slice(0, 5), ...CAPTURES.slice(0, 3)], luck);
    const bodies: readonly (string | Buffer)[] = [
      '',
      '{',
      '{"title":"a","text":',
      '[]',
      'null',
      '1',
      '"text"',
      '{"__proto__":{"title":"a"},"text":"b"}',
      '{"constructor":{"prototype":{}}}',
      '['.repeat(100_000),
      `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      '{"title":1e999,"text":{}}',
      '{"title":"a","text":"b","title2":1}',
      Buffer.from([0xff, 0xfe, 0x7b, 0x00]),
      Buffer.from('{"title":"a\u0000","text":', 'utf16le'),
      `{"${'k'.repeat(100_000)}":1}`,
      "{'title':'a'}",
      '{"selection":{}}',
      '{"selection":{"ids":["a"],"query":"b"}}',
      '{"views":"all"}',
      '{"exclude":"~"}',
    ];
    return { method, target, body: pick(bodies, luck), headers: [JSON_TYPE] };
  },
  'capture token used to read': (luck) => {
    if (luck.below(3) > 0) return { target: pick(READS, luck), token: CAPTURE_TOKEN };
    const [method, target, body] = pick(ACTS, luck);
    return { method, target, body, token: CAPTURE_TOKEN, headers: [JSON_TYPE] };
  },
  'header tricks': (luck, port) => {
    const body = '{"title":"attack","text":"attack"}';
    const save = `POST /api/save HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
    const wrong = save.replace(TOKEN, 'x'.repeat(40));
    const raw: readonly (string | Buffer)[] = [
      `${wrong}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${save}Content-Length: ${body.length}\r\n\r\n${body}`,
      `${save}Content-Length: 5\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      `${save}Transfer-Encoding: chunked, identity\r\n\r\n${body}`,
      `${save}Transfer-Encoding: xchunked\r\n\r\n${body}`,
      `${save}Content-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      `${save} folded: header\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      `${save}X: ${'y'.repeat(100_000)}\r\n\r\n`,
      `${save}${'X-Many: 1\r\n'.repeat(5_000)}\r\n`,
      `${save}Nul: a\u0000b\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      `${save}Bad Name: 1\r\n\r\n`,
      `${save.replace('\r\nHost', '\r\nHost: evil.example\r\nHost')}Content-Length: ${body.length}\r\n\r\n${body}`,
      `${save.replace('HTTP/1.1', 'HTTP/9.9')}\r\n`,
      `${save.replace('POST', 'CONNECT').replace('/api/save', `127.0.0.1:${port}`)}\r\n`,
      `${save.replace('POST', 'TRACE')}\r\n`,
      `${save.replace('POST', 'OPTIONS')}Origin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n`,
      `${save.replace('POST', 'post')}Content-Length: ${body.length}\r\n\r\n${body}`,
      `${save.replace('POST', 'P\u0000ST')}\r\n`,
      `${save.replace('/api/save', `http://evil.example/api/save`)}Content-Length: ${body.length}\r\n\r\n${body}`,
      `${save.replace('/api/save', `*`)}\r\n`,
      `${save.replace('/api/save', '/api/save#')}Content-Length: 2\r\n\r\n{}`,
      `${save.replace('/api/save', '/api/save?title=a&title=b')}Content-Length: ${body.length}\r\n\r\n${body}`,
      `${save.replace('POST', 'GET').replace('/api/save', '/api/stream')}Last-Event-ID: -1\r\n\r\n`,
      `${save.replace('POST', 'GET').replace('/api/save', '/api/sessions?limit=1e9')}\r\n`,
      `${save.replace('POST', 'GET').replace('/api/save', '/api/sessions?after=%ff')}\r\n`,
      `${save.replace('POST', 'DELETE')}\r\n`,
      `${wrong}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n`,
      `${wrong}Expect: 100-continue\r\nContent-Length: 10\r\n\r\n0123456789`,
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'GET /api/health\r\n\r\n',
      `GET /api/health HTTP/1.1\n\n`,
      Buffer.from('1603010200010001fc0303', 'hex'),
      Buffer.from(Array.from({ length: 1 + luck.below(2_000) }, () => luck.below(256))),
      `${'\r\n'.repeat(luck.below(2_000))}x`,
    ];
    const one = pick(raw, luck);
    return Buffer.isBuffer(one) ? one : Buffer.from(one, 'latin1');
  },
};

function withQuery({ target = '/' }: RawRequest, query: string): string {
  return `${target}${target.includes('?') ? '&' : '?'}${query}`;
}

function requestBytes(request: RawRequest, port: number): Buffer {
  const {
    method = 'GET',
    target = '/',
    version = '1.1',
    host = `127.0.0.1:${port}`,
    token = TOKEN,
  } = request;
  const { headers = [], body = '' } = request;
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
  const isFramed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const lines = [
    `${method} ${target} HTTP/${version}`,
    ...(host === null ? [] : [`Host: ${host}`]),
    ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(isFramed || bytes.length === 0 ? [] : [`Content-Length: ${bytes.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

function chunked(bytes: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n0\r\n\r\n'),
  ]);
}
