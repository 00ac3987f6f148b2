// What the sources of large packages hold next to a secret's name, or in a secret's form, without being one. The second
// list has the secret that looks most like each of them. `npm run bench -- false-positives` counts them in real packages.
import { describe, expect, it } from 'vitest';
import { redactText } from '../../../src/capture/redact/index.ts';

const BLOB = 'BQAAAJmlEAACAAAAm6UQ+AIAAAABAAAAAAAAAJy7'.repeat(11);

describe('what sources hold stays', () => {
  it.each([
    [
      'the name of a token class with positions filled in',
      '"@keywords": { token: "keyword.$0" }, { token: "string.$S2.delim" }',
    ],
    ['the same with a dash', '{ token: "keyword.tag-$1" }, { token: "keyword.$0x", next: "@a" }'],
    ['a path into a document', '"output_token": "StreamDescription.Shards[-1].ShardId"'],
    ['a short path into a document', '{"input_token":"Marker","output_token":"Jobs[-1].JobId"}'],
    [
      'a token that orders changes',
      '"ChangeToken": "abcd12f2-46da-4fdb-b8d5-fbd4c466928f", "LifecycleActionToken": "bcd2f1b8-9a78-44d3-8a7a-4dd07d7cf635"',
    ],
    [
      'a value that repeats its field’s name',
      '"recaptchaV3Token": "my_recaptchaV3Token", "newPassword": "my_newPassword"',
    ],
    ['the same for an account', '{"user_email": "my_user_email", "accountEmail": "my_accountEmail"}'],
    [
      'an identifier that ends with its field’s name',
      'tokens.OpaqueTypeToken=module$google3$tokens_OpaqueTypeToken;',
    ],
    [
      'a member with its field’s name',
      'userEmail: this.userEmail, in["tunnel1PresharedKey"] = state?.tunnel1PresharedKey;',
    ],
    [
      'a placeholder that says so',
      "'clientCertificate.passphrase': 'placeholder-value', passcode: 'my_passcode'",
    ],
    ['a placeholder in brackets', '{"NEW_PASSWORD": "[new_password]"}'],
    ['a selector', '{password:"[type=password]",radio:"[type=radio]"}'],
    ['the name of an error', '{INVALID_PASSWORD:"wrong-password",WEAK_PASSWORD:"auth/weak-password"}'],
    ['the name of a field', '{ "Username": "user-name", "Password": "user-password" }'],
    ['a declared type', 'KdcAdminPassword: XmlStringMaxLen256;\n  clientSecret: SensitiveString2048;'],
    ['a type’s alias', 'export type AccountEmail = string;'],
    ['a comparison', 'this._usedEndToken=_.length===1?i:null);'],
    ['an assignment after a case', 'case"ExpiredToken":e.error.retryable=!0,e.request'],
    ['a comparison in quotes of code', 'what it prints in the one pass: `d===t?a:b`, or `x=d===t?a:b`'],
    [
      'an assignment to a member of a member',
      'set password(value1){this[Internal].url.password=value1}get username(){}',
    ],
    ['a case for a header', 'case"cookie":value="cookies"in req?req.cookies[key]:x'],
    [
      'prose with “identified by”',
      'bidding strategy identified by \'bidding_strategy\'. It is identified as "//{resource.service\\}"',
    ],
    ['prose with “default password”', 'The default password for the cluster'],
    [
      'the location of a secret in a template',
      'arn:aws:secretsmanager:region:account-number:secret:managedADtestsecret-123456',
    ],
    [
      'the same with names of variables',
      'arn:aws:secretsmanager:&region;:&ExampleAccountId;:secret:MySecret1-a1b2c3',
    ],
    ['the name of a user in an address', 'from `https://username:password@endpoint/`'],
    [
      'a key of AWS that is marked as an example',
      '"AccessKeyId": "AKIAIOSFODNN7EXAMPLE", "SecretAccessKey": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEKEY"',
    ],
    ['a field’s name with a capital', 'manageMasterUserPassword:"ManageMasterUserPassword",PASS = "Pass"'],
    ['a name that a bundler numbered', 'if(apiKey==null){apiKey=defaultApiKey$2}'],
    ['an array’s type', 'function pbkdf2(password: Uint8Array, salt: Uint8Array, keys: Uint32Array)'],
    ['a renderer’s pass', 'this.renderPass = "translucent"; for (this.opaquePass = "none";;) {}'],
    ['the end of a string and what follows', 'a["x.png?api_key="],tileSize:256}},layers:[{id:"plotly-1"}]'],
    ['a token’s prefix within base64', `${BLOB}+EAAB${'aB3'.repeat(40)}/AQAB`],
  ])('%s', (_, text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe('a secret that looks like it is removed', () => {
  it.each([
    ['{ token: "q7Rk2vXw9L.$mT4bZc8NpD" }', 'vXw9L'],
    ['"output_token": "q7Rk2vXw9LmT4bZc8NpD"', 'q7Rk2v'],
    ['"DeviceToken": "abcd12f2-46da-4fdb-b8d5-fbd4c466928f"', 'abcd12f2'],
    ['"newPassword": "my_newPassword7!"', 'Password7'],
    ['"password": "superpassword"', 'superpassword'],
    ['masterUserPassword: "MasterUserPassword7"', 'Password7'],
    ['{apiKey=defaultApiKeyQ7Rk2$2}', 'Q7Rk2'],
    ['apiKey: "q7Rk2vXw9LmT4bZc8NpD$2"', 'q7Rk2v'],
    ['{"adminPassword":"myAdminPassword"}', 'myAdmin'],
    ['adminPassword: "letmeinAdminPassword"', 'letmein'],
    ['ADMIN_PASSWORD=my_ADMIN_PASSWORD$12', '$12'],
    ['RENDER_PASS=Hunter2!xyz9', 'Hunter2'],
    ['{"renderPass":"Hunter2!xyz9"}', 'Hunter2'],
    ["SECRET_KEY = ')3k(z#w7q_bT4x@m5nV8p$r2'", 'z#w7q'],
    ['{"apiSecret": ",q7Rk2vXw9LmT4bZc8NpD"}', 'q7Rk2v'],
    ['dbPass = "translucent"', 'translucent'],
    ['"api_key": "[q7Rk2vXw9LmT4bZc8NpD"', 'q7Rk2v'],
    ['{"user_email": "me@example.org"}', 'me@example'],
    ['ACCOUNT_EMAIL=me%40example.org', 'me%40example'],
    ['{"password": "[x7!kq_w]"}', 'x7!kq'],
    ['"POSTGRES_PASSWORD": "strong-password"', 'strong-password'],
    ['clientSecret: q7Rk2vXw9LmT4bZc8NpD;', 'q7Rk2v'],
    ['Password=CorrectHorseBattery9;Server=x', 'CorrectHorse'],
    ['Server=x;Password=SensitiveString2048;', 'SensitiveString'],
    ['password: Summer2024;', 'Summer2024'],
    ['token=q7Rk2vXw9LmT4bZc8NpD==', 'q7Rk2v'],
    ['User{name=bob, password=value1}', 'value1'],
    ['servers[0].password=hunter2\n', 'hunter2'],
    ['Cookie: value=q7Rk2v; sid=vXw9LmT4', 'vXw9LmT4'],
    ["alter user bob identified by 'bidding_strategy'", 'bidding_strategy'],
    ["GRANT ALL ON a.* TO 'bob'@'%' IDENTIFIED BY 'bidding_strategy'", 'bidding_strategy'],
    ['machine api.example.org password swordfish', 'swordfish'],
    ['default login bob password swordfish', 'swordfish'],
    ['https://username:q7Rk2vXw9@endpoint/', 'q7Rk2v'],
    ['secret: q7Rk2vXw9LmT4bZc8NpD', 'q7Rk2v'],
    [`AKIA${'IOSFODNN7EXBMPLE'}`, 'IOSFODNN7'],
    [`/home/user/projects/company/repository/keys/EAAB${'aB3'.repeat(40)}`, 'aB3aB3'],
    [`+EAAB${'aB3'.repeat(40)}`, 'aB3aB3'],
  ])('%s', (text, needle) => {
    expect(redactText(text)).not.toContain(needle);
  });
});
