// Tokens without a format of their own, which count only if the name of their key contains the vendor's: vendor, then
// the formats of its values. Date and source as in vendor-tokens.ts. Names that also end like a secret's (`…_TOKEN`,
// `…_SECRET`) need no row; these are for `ALGOLIA_ADMIN_KEY`, `bitbucket: …` and similar.

import { Source } from './text-source.ts';
import { bodyEnd, hasForm, piecesOf, type TokenPiece } from './token-rows.ts';

const UUID = 'H8 - H4 - H4 - H4 - H12';

const FORMS: Readonly<Record<string, readonly string[]>> = {
  adafruit: ['W32'],
  adobe: ['h32'],
  airtable: ['a17'],
  algolia: ['l32'],
  alibaba: ['a30'],
  amplitude: ['h32'],
  artifactory: ['a64', 'a73'],
  asana: ['l32'],
  atlassian: ['l24'],
  beamer: ['b46'],
  bitbucket: ['l32', 'W64'],
  bitly: ['h40'],
  bittrex: ['l32'],
  circleci: ['h40'],
  cloudflare: ['W40', 'h37'],
  codecov: ['l32', UUID],
  cohere: ['a40'],
  coinbase: ['W64'],
  confluence: ['l24'],
  confluent: ['a16', 'b64'],
  contentful: ['W43', 'W64'],
  datadog: ['h32', 'a40'],
  deepgram: ['h40'],
  deepl: [UUID],
  discord: ['h64', 'W32'],
  droneci: ['a32'],
  dropbox: ['l15', 'W64'],
  etsy: ['l24'],
  facebook: ['h32'],
  fastly: ['W32'],
  finicity: ['h32', 'a20'],
  finnhub: ['l20'],
  flickr: ['l32'],
  freshbooks: ['l64'],
  gitter: ['W40'],
  heroku: [UUID],
  hubspot: [UUID],
  intercom: ['b60'],
  jfrog: ['a64', 'a73'],
  jira: ['l24'],
  kraken: ['b80-90'],
  kucoin: ['h24', UUID],
  launchdarkly: ['W40'],
  linkedin: ['a16'],
  mailgun: ['h32 - h8 - h8'],
  mattermost: ['l26'],
  meraki: ['h40'],
  messagebird: ['a25'],
  mistral: ['a32'],
  mixpanel: ['h32'],
  netlify: ['W40-46'],
  newrelic: ['h40', 'a64'],
  nytimes: ['W32'],
  okta: ['W42'],
  pagerduty: ['b20'],
  privateai: ['l32'],
  rapidapi: ['W50'],
  rollbar: ['h32'],
  sendbird: ['h40', UUID],
  sentry: ['h64'],
  shodan: ['a32'],
  snyk: [UUID],
  sonar: ['W40'],
  squarespace: [UUID],
  sumologic: ['a64'],
  telegram: ['d8-10 : W35'],
  travis: ['W22'],
  twitch: ['l30'],
  twitter: ['a45', 'a50', 'a25', 'd15-25 - a20-40'],
  vercel: ['a24'],
  vultr: ['U36'],
  wandb: ['h40'],
  zendesk: ['a40'],
};

const VENDORS = Object.entries(FORMS).map(([name, forms]) => ({ name, forms: forms.map(piecesOf) }));
const VENDOR = new RegExp(Object.keys(FORMS).join('|'));
/** Words in a key with a vendor's name that mean a credential … */
const CREDENTIAL_WORDS = /key|token|secret|auth|pass|pat$|cred|access|api/;
/** … and endings that mean public data. */
const PUBLIC_ENDINGS =
  /(?:id|url|uri|name|host|path|file|version|sha|hash|digest|commit|email|region|domain)$/;

export type VendorForms = readonly (readonly TokenPiece[])[];
const NO_FORMS: VendorForms = [];

/** The value formats of all vendors that a key names, if the key may be a secret's. */
export function vendorsNamed(key: string): VendorForms {
  const name = key.toLowerCase().replace(/[_.$-]/g, '');
  if (!VENDOR.test(name)) return NO_FORMS;
  if (!Object.hasOwn(FORMS, name) && (!CREDENTIAL_WORDS.test(name) || PUBLIC_ENDINGS.test(name)))
    return NO_FORMS;
  return VENDORS.flatMap((vendor) => (name.includes(vendor.name) ? vendor.forms : []));
}

/** Whether a value has one of these formats. */
export function isVendorsValue(forms: VendorForms, value: string): boolean {
  if (forms.length === 0 || !hasForm(value, 'digit')) return false;
  const source = new Source(value);
  return forms.some((form) => bodyEnd(source, 0, form) === value.length);
}
