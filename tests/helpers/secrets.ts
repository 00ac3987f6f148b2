// Invented secrets of every kind, joined from pieces so that secret scanners do not report this file.
// `needle` is the part that must not be found anywhere afterwards; `text` is the text around it.

export interface PlantedSecret {
  readonly kind: string;
  readonly text: string;
  readonly needle: string;
}

const mixed = 'q7Rk2vXw9LmT4bZc8NpD1sFh6JyG3aQeU5oW0iKx';
const hex = '0f9e8d7c6b5a49382716f5e4d3c2b1a0';
const upper = 'Q7RK2VXW5LMT4BZC3NPD6SFH2JYG3AQEU5OW2IKXQ7RK2VXW5LMT4BZC3NPD';

export const PLANTED_SECRETS: readonly PlantedSecret[] = [
  plain('aws-access-key', `AKI${'A'}${upper.slice(0, 16)}`),
  after('secret', 'aws_secret_access_key = ', `${mixed.slice(0, 20)}/${mixed.slice(0, 19)}`),
  plain('github-token', `gh${'p_'}${mixed.slice(0, 36)}`),
  plain('github-token', `gh${'s_'}${mixed.slice(0, 36)}`),
  plain('github-token', `github_${'pat_'}11${upper.slice(0, 20)}_${mixed}`),
  plain('gitlab-token', `gl${'pat-'}${mixed.slice(0, 20)}`),
  plain('anthropic-key', `sk-${'ant-'}api03-${mixed}-${mixed}AA`),
  plain('openai-key', `sk-${'proj-'}${mixed}${mixed}`),
  plain('openai-key', `s${'k-'}${mixed}${mixed.slice(0, 8)}`),
  plain('google-key', `AI${'za'}${mixed.slice(0, 35)}`),
  plain('slack-token', `xo${'xb-'}123456789012-1234567890123-${mixed.slice(0, 24)}`),
  after(
    'slack-webhook',
    `https://hooks.slack.${'com/services/'}`,
    `T0${upper.slice(0, 8)}/B0${upper.slice(0, 8)}/${mixed.slice(0, 24)}`,
  ),
  plain('stripe-key', `sk_${'live_'}${mixed.slice(0, 24)}`),
  plain('npm-token', `np${'m_'}${mixed.slice(0, 36)}`),
  plain('pypi-token', `py${'pi-'}AgEIcHlwaS5vcmc${mixed}`),
  plain('sendgrid-key', `S${'G.'}${mixed.slice(0, 22)}.${mixed}abc`),
  plain('twilio-key', `S${'K'}${hex}`),
  plain('discord-token', `MT${'E'}${mixed.slice(0, 21)}.Gh4jk2.${mixed.slice(0, 38)}`),
  plain('telegram-token', `123456789${':AA'}${mixed.slice(0, 33)}`),
  plain('huggingface-token', `h${'f_'}${mixed.slice(0, 34)}`),
  after('secret', 'AccountName=x;AccountKey=', `${mixed}${mixed}abcdef==`),
  after('azure-signature', 'https://x.blob.core.windows.net/c?sv=2024-11-04&sig=', `${mixed}%2Bab%3D`),
  plain('jwt', `ey${'J'}hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${mixed}`),
  plain(
    'private-key',
    `-----BEGIN RSA ${'PRIVATE KEY'}-----\n${mixed}${mixed}\n${mixed}\n-----END RSA ${'PRIVATE KEY'}-----`,
    mixed,
  ),
  plain('private-key', `-----BEGIN OPENSSH ${'PRIVATE KEY'}-----\\n${mixed}\\n${mixed}`, mixed),
  between('url-credentials', 'postgres://admin:', 'hunter2-and-more', '@db.internal:5432/shop'),
  after('authorization', 'Authorization: Bearer ', mixed),
  after('authorization', "curl -H 'authorization: Basic ", 'YWRtaW46aHVudGVyMg=='),
  after('password', 'password=', 'hunter2-and-more'),
  between('password', '{"password": "', 'correct-horse-battery', '"}'),
  between('api-key', '{\\"api_key\\": \\"', mixed, '\\"}'),
  after('token', 'export DEPLOY_TOKEN=', mixed),
  after('password', 'mysql --password ', 'hunter2-and-more'),
  plain('age-key', `AGE-SECRET-${'KEY-1'}${upper.slice(0, 58)}`),
  after('cookie', 'Cookie: ', `session_id=${mixed}; theme=dark`),
  after('cookie', 'set-cookie: ', `sid=${mixed}; HttpOnly`),
];

function plain(kind: string, text: string, needle = text): PlantedSecret {
  return { kind, text, needle };
}

function after(kind: string, before: string, needle: string): PlantedSecret {
  return { kind, text: before + needle, needle };
}

function between(kind: string, before: string, needle: string, behind: string): PlantedSecret {
  return { kind, text: before + needle + behind, needle };
}
