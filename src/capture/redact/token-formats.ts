// Secrets that show by their own form: a fixed prefix and enough characters of one alphabet after it.
// A format is tried only where one of its anchors stands, so plain text costs one table look-up a character.
// Shapes ask for the least length only and the rest of the run is taken afterwards, so that a hostile text
// (a million prefixes in a row) costs a few dozen steps a prefix and never a quadratic search.

export interface TokenFormat {
  readonly kind: string;
  /** Literals of at least two ASCII characters with which the shape begins. */
  readonly anchors: readonly string[];
  /** Sticky. A first group, where there is one, is a prefix that stays (a host, a header's scheme). */
  readonly shape: RegExp;
  /** Characters that still belong to the secret after the shape. */
  readonly rest: RegExp;
  /**
   * What may not stand before it: a letter or digit by default; `word` also forbids _ and -; `nothing` means
   * that the form is telling enough in the middle of a word (a file name, a percent-encoded URL).
   */
  readonly notAfter?: 'letter' | 'word' | 'nothing';
  /** What the secret must hold to be one: prefixes alone also begin css classes and file names. */
  readonly needs?: 'digit' | 'mixed';
}

const WORD = /[A-Za-z0-9_]*/y;
const WORD_DASH = /[A-Za-z0-9_-]*/y;
const WORD_DASH_DOT = /[A-Za-z0-9_.-]*/y;
const ALNUM = /[A-Za-z0-9]*/y;
const BASE64 = /[A-Za-z0-9+/_=-]*/y;

export const TOKEN_FORMATS: readonly TokenFormat[] = [
  {
    kind: 'aws-access-key',
    anchors: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    shape:
      /(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])(?:[\s,:;"']{1,4}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=]))?/y,
    rest: /(?:)/y,
  },
  {
    kind: 'github-token',
    anchors: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    shape: /gh[pousr]_[A-Za-z0-9]{2}[A-Za-z0-9_]{28}/y,
    rest: /[A-Za-z0-9_]*(?:\.[A-Za-z0-9_-]{8,}){0,2}/y,
    notAfter: 'nothing',
  },
  {
    kind: 'github-token',
    anchors: ['github_pat_'],
    shape: /github_pat_[A-Za-z0-9_]{22}/y,
    rest: WORD,
    notAfter: 'nothing',
  },
  {
    kind: 'gitlab-token',
    anchors: [
      ...['glpat-', 'gldt-', 'glrt-', 'glrtr-', 'glcbt-', 'glptt-', 'glft-', 'glimt-'],
      ...['glagent-', 'gloas-', 'glsoat-', 'glffct-'],
    ],
    shape: /gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_-]{18}/y,
    rest: /[A-Za-z0-9_-]*(?:\.[A-Za-z0-9]{2,}){0,2}/y,
    needs: 'digit',
  },
  {
    kind: 'anthropic-key',
    anchors: ['sk-ant-'],
    shape: /sk-ant-[A-Za-z0-9_-]{16}/y,
    rest: WORD_DASH,
    needs: 'digit',
  },
  {
    kind: 'openai-key',
    anchors: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-', 'sk-or-'],
    shape: /sk-(?:proj|svcacct|admin|None|or)-[A-Za-z0-9_-]{20}/y,
    rest: WORD_DASH,
    needs: 'digit',
  },
  {
    kind: 'openai-key',
    anchors: ['sk-'],
    shape: /sk-[A-Za-z0-9]{32}/y,
    rest: ALNUM,
    notAfter: 'word',
    needs: 'digit',
  },
  {
    kind: 'openai-key',
    anchors: ['sk-'],
    shape: /sk-[A-Za-z0-9]{20}/y,
    rest: ALNUM,
    notAfter: 'word',
    needs: 'mixed',
  },
  { kind: 'google-key', anchors: ['AIza'], shape: /AIza[A-Za-z0-9_-]{35}/y, rest: WORD_DASH },
  { kind: 'google-key', anchors: ['GOCSPX-'], shape: /GOCSPX-[A-Za-z0-9_-]{20}/y, rest: WORD_DASH },
  { kind: 'google-key', anchors: ['ya29.'], shape: /ya29\.[A-Za-z0-9_-]{20}/y, rest: WORD_DASH_DOT },
  {
    kind: 'slack-token',
    anchors: ['xox'],
    shape: /xox[abceoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10}/y,
    rest: WORD_DASH,
    needs: 'digit',
  },
  { kind: 'slack-token', anchors: ['xapp-'], shape: /xapp-\d-[A-Za-z0-9-]{10}/y, rest: WORD_DASH },
  {
    kind: 'slack-webhook',
    anchors: ['hooks.slack.com/'],
    shape: /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]{20}/y,
    rest: /[A-Za-z0-9/_-]*/y,
  },
  {
    kind: 'discord-webhook',
    anchors: ['discord.com/api/', 'discordapp.com/api/'],
    shape: /(discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/)\d{10,24}\/[A-Za-z0-9_-]{30}/y,
    rest: WORD_DASH,
  },
  {
    kind: 'discord-token',
    anchors: ['MT', 'MD', 'Mz', 'Mj', 'NT', 'ND', 'Nj', 'Nz', 'OD', 'OT'],
    shape: /[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27}/y,
    rest: WORD_DASH,
    notAfter: 'word',
  },
  {
    kind: 'stripe-key',
    anchors: ['sk_live_', 'sk_test_', 'sk_prod_', 'rk_live_', 'rk_test_', 'rk_prod_'],
    shape: /[rs]k_(?:live|test|prod)_[A-Za-z0-9]{16}/y,
    rest: ALNUM,
  },
  {
    kind: 'stripe-key',
    anchors: ['whsec_'],
    shape: /whsec_[A-Za-z0-9+/]{20}/y,
    rest: BASE64,
    needs: 'mixed',
  },
  { kind: 'npm-token', anchors: ['npm_'], shape: /npm_[A-Za-z0-9]{32}/y, rest: ALNUM },
  {
    kind: 'pypi-token',
    anchors: ['pypi-'],
    shape: /pypi-[A-Za-z0-9_-]{32}/y,
    rest: WORD_DASH,
    needs: 'mixed',
  },
  {
    kind: 'sendgrid-key',
    anchors: ['SG.'],
    shape: /SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16}/y,
    rest: WORD_DASH,
    notAfter: 'word',
  },
  {
    kind: 'twilio-key',
    anchors: [...'0123456789abcdef'].flatMap((digit) => [`SK${digit}`, `AC${digit}`]),
    shape: /(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])/y,
    rest: /(?:)/y,
  },
  { kind: 'huggingface-token', anchors: ['hf_'], shape: /hf_[A-Za-z0-9]{30}/y, rest: ALNUM },
  {
    kind: 'jwt',
    anchors: ['eyJ'],
    shape: /eyJ[A-Za-z0-9_-]{8,300}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/y,
    rest: /(?:\.[A-Za-z0-9_-]+)*/y,
    needs: 'digit',
  },
  {
    kind: 'jwt',
    anchors: ['eyJ'],
    shape: /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/y,
    rest: /(?:\.[A-Za-z0-9_-]+)*/y,
    notAfter: 'word',
    needs: 'digit',
  },
  { kind: 'age-key', anchors: ['AGE-SECRET-KEY-1'], shape: /AGE-SECRET-KEY-1[A-Z0-9]{40}/y, rest: ALNUM },
  {
    kind: 'azure-signature',
    anchors: ['sig='],
    shape: /(sig=)(?=[A-Za-z0-9+/%_-]{40})[A-Za-z0-9+/%_-]{40}/y,
    rest: /[A-Za-z0-9+/%=_-]*/y,
    needs: 'mixed',
  },
  {
    kind: 'bearer-token',
    anchors: ['Bearer ', 'bearer ', 'BEARER '],
    shape: /([Bb]earer +|BEARER +)[A-Za-z0-9._~+/-]{16}/y,
    rest: /[A-Za-z0-9._~+/=-]*/y,
    needs: 'digit',
  },
  {
    kind: 'digitalocean-token',
    anchors: ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    shape: /do[opr]_v1_[a-f0-9]{64}/y,
    rest: ALNUM,
  },
  { kind: 'databricks-token', anchors: ['dapi'], shape: /dapi[a-f0-9]{32}/y, rest: /(?:-\d)?/y },
  {
    kind: 'shopify-token',
    anchors: ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    shape: /shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}/y,
    rest: ALNUM,
  },
  { kind: 'vault-token', anchors: ['hvs.', 'hvb.'], shape: /hv[sb]\.[A-Za-z0-9_-]{24}/y, rest: WORD_DASH },
  { kind: 'docker-token', anchors: ['dckr_'], shape: /dckr_[a-z]{3}_[A-Za-z0-9_-]{20}/y, rest: WORD_DASH },
  { kind: 'linear-key', anchors: ['lin_'], shape: /lin_(?:api|oauth)_[A-Za-z0-9]{32}/y, rest: ALNUM },
  { kind: 'notion-token', anchors: ['ntn_'], shape: /ntn_[A-Za-z0-9]{40}/y, rest: ALNUM },
  { kind: 'postman-key', anchors: ['PMAK-'], shape: /PMAK-[a-f0-9]{24}-[a-f0-9]{32}/y, rest: ALNUM },
  {
    kind: 'grafana-token',
    anchors: ['glsa_', 'glc_'],
    shape: /gl(?:sa|c)_[A-Za-z0-9+/_=]{32}/y,
    rest: BASE64,
  },
  {
    kind: 'supabase-token',
    anchors: ['sbp_', 'sb_secret_'],
    shape: /sb(?:p_[a-f0-9]{40}|_secret_[A-Za-z0-9_-]{20})/y,
    rest: WORD_DASH,
  },
  { kind: 'groq-key', anchors: ['gsk_'], shape: /gsk_[A-Za-z0-9]{40}/y, rest: ALNUM },
  { kind: 'xai-key', anchors: ['xai-'], shape: /xai-[A-Za-z0-9]{40}/y, rest: ALNUM },
  { kind: 'perplexity-key', anchors: ['pplx-'], shape: /pplx-[A-Za-z0-9]{40}/y, rest: ALNUM },
  { kind: 'replicate-token', anchors: ['r8_'], shape: /r8_[A-Za-z0-9]{36}/y, rest: ALNUM },
  {
    kind: 'atlassian-token',
    anchors: ['ATATT3', 'ATCTT3'],
    shape: /AT[AC]TT3[A-Za-z0-9_=-]{30}/y,
    rest: BASE64,
  },
  { kind: 'newrelic-key', anchors: ['NRAK-'], shape: /NRAK-[A-Z0-9]{27}/y, rest: ALNUM },
  {
    kind: 'sentry-token',
    anchors: ['sntrys_', 'sntryu_'],
    shape: /sntry[su]_[A-Za-z0-9+/=_-]{40}/y,
    rest: BASE64,
  },
  {
    kind: 'tailscale-key',
    anchors: ['tskey-'],
    shape: /tskey-[a-z]+-[A-Za-z0-9]{8,}-[A-Za-z0-9]{16}/y,
    rest: ALNUM,
  },
  {
    kind: 'doppler-token',
    anchors: ['dp.'],
    shape: /dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{32}/y,
    rest: WORD_DASH_DOT,
  },
  { kind: 'onepassword-token', anchors: ['ops_eyJ'], shape: /ops_eyJ[A-Za-z0-9_-]{40}/y, rest: BASE64 },
  { kind: 'heroku-key', anchors: ['HRKU-'], shape: /HRKU-[A-Za-z0-9_-]{32}/y, rest: WORD_DASH },
  {
    kind: 'fly-token',
    anchors: ['FlyV1 fm', 'fm2_', 'fo1_'],
    shape: /(?:FlyV1 )?f(?:m[12]|o1)_[A-Za-z0-9+/=_-]{40}/y,
    rest: BASE64,
  },
];
