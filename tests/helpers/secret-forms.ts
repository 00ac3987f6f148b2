// Forms in which secrets occur in text: those that docs/privacy.md promises to redact, and other common ones.
// `needle` must not be left anywhere; the values are generated at run time (made-secrets.ts).
import { base64, hex, letters, lower, mixed, upper } from './made-secrets.ts';

export interface SecretForm {
  readonly name: string;
  readonly text: string;
  readonly needle: string;
}

let seed = 1_000;
/** Each form has its own value, so that a leak shows which form let it through. */
function form(name: string, value: string, text: (value: string) => string): SecretForm {
  return { name, text: text(value), needle: value };
}
const token = () => mixed(32, seed++);
/** Letters only, as in passwords that people choose. */
const word = () => `swordfish${letters(6, seed++)}`;
/** A password of letters and a digit. */
const pass = () => `hunter${letters(5, seed++)}42`;

const KEY_LINES = (width: number, lines: number) =>
  Array.from({ length: lines }, () => base64(width, seed++));
const PEM = KEY_LINES(64, 6);
const PPK = KEY_LINES(64, 3);
const head = (kind: string) => `-----BEGIN ${kind}${'PRIVATE KEY'}-----`;
const tail = (kind: string) => `-----END ${kind}${'PRIVATE KEY'}-----`;

export const PROMISED_FORMS: readonly SecretForm[] = [
  form('assignment', pass(), (v) => `password=${v}`),
  form('assignment with spaces', pass(), (v) => `password = "${v}"`),
  form('environment', word(), (v) => `DB_PASSWORD=${v} npm start`),
  form('environment quoted', pass(), (v) => `export DB_PASSWORD="${v}"`),
  form('environment single quotes', pass(), (v) => `export DB_PASSWORD='${v}'`),
  form('environment with spaces', `correct ${letters(6, 901)} staple`, (v) => `SMTP_PASSWORD="${v}"`),
  form('environment in the middle', token(), (v) => `AWS_BEARER_TOKEN_BEDROCK=${v}`),
  form('environment in JSON', token(), (v) => `{"AWS_BEARER_TOKEN_BEDROCK": "${v}"}`),
  form('environment, numbered', token(), (v) => `API_TOKEN_2=${v}`),
  form('JSON', pass(), (v) => `{"password": "${v}"}`),
  form('JSON in JSON', pass(), (v) => JSON.stringify(JSON.stringify({ password: v }))),
  form('JSON in JSON in JSON', token(), (v) =>
    JSON.stringify(JSON.stringify({ a: JSON.stringify({ apiKey: v }) })),
  ),
  form('JavaScript', token(), (v) => `const client = new Client({ apiKey: '${v}' });`),
  form('Python', token(), (v) => `API_KEY = "${v}"`),
  form('Python dictionary', token(), (v) => `{'secret_key': '${v}'}`),
  form('Ruby', token(), (v) => `:secret_key_base => "${v}"`),
  form('PHP', token(), (v) => `'api_key' => '${v}',`),
  form('Go', pass(), (v) => `password := "${v}"`),
  form('YAML word', word(), (v) => `database:\n  user: app\n  password: ${v}\n  port: 5432\n`),
  form('YAML first line', word(), (v) => `password: ${v}\n`),
  form('YAML in a list', word(), (v) => `users:\n  - name: x\n    password: ${v}\n`),
  form('YAML quoted', word(), (v) => `password: "${v}"`),
  form('YAML with a comment', word(), (v) => `  password: ${v} # change me`),
  form('YAML with a line number', word(), (v) => `     12→  password: ${v}\n     13→  port: 1\n`),
  form('YAML token', token(), (v) => `auth_token: ${v}`),
  form('TOML', pass(), (v) => `[db]\npassword = "${v}"\n`),
  form('properties', word(), (v) => `spring.datasource.password=${v}`),
  form('ini', pass(), (v) => `passwd = ${v}`),
  form('query', word(), (v) => `GET /x?a=1&password=${v}&b=2`),
  form('query token', token(), (v) => `https://h.example/x?access_token=${v}`),
  form('client secret', token(), (v) => `client_secret: "${v}"`),
  form('AWS secret', base64(40, 903), (v) => `aws_secret_access_key = ${v}`),
  form('AWS prompt', base64(40, 904), (v) => `AWS Secret Access Key [None]: ${v}`),
  form(
    'AWS prompt with a hint',
    base64(40, 905),
    (v) => `AWS Secret Access Key [****************ABCD]: ${v}`,
  ),
  form('AWS pair', base64(40, 906), (v) => `AKI${'A'}${upper(16, 907)} ${v}`),
  form('AWS session token', base64(200, 908), (v) => `aws_session_token=${v}`),
  form('Azure storage', base64(86, 909), (v) => `AccountName=x;AccountKey=${v}==;EndpointSuffix=y`),
  form('Azure signature', mixed(44, 910), (v) => `https://x.blob.example/c?sv=2024-11-04&sig=${v}%3D`),
  form('ODBC', word(), (v) => `Driver={SQL};Server=h;UID=sa;PWD=${v};`),
  form('ADO', word(), (v) => `Server=h;User ID=sa;Password=${v};Encrypt=true`),
  form('ADO with spaces', word(), (v) => `Server=h; User Id=sa; Pwd=${v}; Database=x`),
  form('JDBC', word(), (v) => `jdbc:mysql://h:3306/db?user=root&password=${v}`),
  form('libpq', pass(), (v) => `host=h user=u password=${v} dbname=d`),
  form('bearer header', token(), (v) => `Authorization: Bearer ${v}`),
  form('bearer header in JSON', token(), (v) => `"authorization": "Bearer ${v}"`),
  form('bearer alone', token(), (v) => `sent with Bearer ${v} and refused`),
  form('basic header', 'YWRtaW46aHVudGVyMg==', (v) => `curl -H 'Authorization: Basic ${v}' https://h`),
  form('token header', token(), (v) => `Authorization: Token ${v}`),
  form('bare header', token(), (v) => `Authorization: ${v}`),
  form('proxy header', token(), (v) => `Proxy-Authorization: Bearer ${v}`),
  form('X-Api-Key', token(), (v) => `X-Api-Key: ${v}`),
  form('X-Auth-Token', token(), (v) => `X-Auth-Token: ${v}`),
  form('X-Vault-Token', mixed(24, 911), (v) => `X-Vault-Token: s.${v}`),
  form('PRIVATE-TOKEN', token(), (v) => `curl -H "PRIVATE-TOKEN: ${v}" https://h`),
  form('cookie', token(), (v) => `Cookie: session_id=${v}; theme=dark`),
  form('set-cookie', token(), (v) => `set-cookie: sid=${v}; HttpOnly`),
  form('cookie after one in quotes', token(), (v) => `Cookie: theme="dark"; sid=${v}`),
  form('cookie in quotes', token(), (v) => `Cookie: lang=en; sid="${v}"; theme=dark`),
  form('cookie after one in escaped quotes', token(), (v) => `"Cookie: theme=\\"dark\\"; sid=${v}"`),
  form('cookie in JSON', token(), (v) => `{"cookie": "sid=${v}; a=b"}`),
  form('cookie flag', token(), (v) => `curl -H 'Cookie: sid=${v}' https://h`),
  form('URL', pass(), (v) => `postgres://admin:${v}@db.internal:5432/shop`),
  form('URL without a user', pass(), (v) => `redis://:${v}@h:6379`),
  form('URL with escaped slashes', pass(), (v) => `{"url":"https:\\/\\/user:${v}@host.example\\/x"}`),
  form('URL with doubly escaped slashes', pass(), (v) => `https:\\\\/\\\\/user:${v}@host.example\\\\/x`),
  form('URL with a slash', `pa/${letters(8, 912)}`, (v) => `postgres://app:${v}@db.internal/shop`),
  form(
    'URL with an escaped slash',
    letters(9, 913),
    (v) => `postgres:\\/\\/app:pa\\/${v}@db.internal\\/shop`,
  ),
  form('URL with an at sign', `p@${letters(8, 914)}`, (v) => `amqp://app:${v}@mq.internal`),
  form('URL percent-encoded', letters(9, 915), (v) => `mongodb+srv://u:p%40${v}@c.example.net/d`),
  form('URL of git', pass(), (v) => `git clone https://bob:${v}@git.example/x.git`),
  form('URL of a proxy', pass(), (v) => `HTTPS_PROXY=http://bob:${v}@proxy:3128`),
  form('flag', pass(), (v) => `mysql --password ${v}`),
  form('flag with =', word(), (v) => `mysqldump --password=${v} shop`),
  form('flag quoted', word(), (v) => `tool --password "${v}"`),
  form('flag token', token(), (v) => `gh-tool --token ${v}`),
  form('flag API key', token(), (v) => `tool --api-key ${v}`),
  form('flag of a client', token(), (v) => `tool --client-secret ${v}`),
  form('curl -u', pass(), (v) => `curl -u bob:${v} https://h`),
  form('Telegram', mixed(33, 916), (v) => `bot 123456789${':AA'}${v}`),
  form('PEM', PEM[0]!, (v) => `${head('RSA ')}\n${v}\n${PEM[1]}\n${tail('RSA ')}`),
  form('PEM spelled', PEM[2]!, (v) => `"${head('')}\\n${v}\\n${PEM[3]}\\n${tail('')}\\n"`),
  form('PEM cut off', PEM[4]!, (v) => `${head('EC ')}\n${v}\n${PEM[5]}`),
  form(
    'PEM OpenSSH',
    base64(70, 917),
    (v) => `${head('OPENSSH ')}\n${v}\n${base64(70, 918)}\n${tail('OPENSSH ')}`,
  ),
  form(
    'PGP',
    base64(64, 919),
    (v) =>
      `${head('PGP ').replace('KEY-', 'KEY BLOCK-')}\n\n${v}\n=abcd\n${tail('PGP ').replace('KEY-', 'KEY BLOCK-')}`,
  ),
  form(
    'Slack webhook',
    mixed(24, 920),
    (v) => `https://hooks.slack.${'com/services/'}T0${upper(8, 921)}/B0${upper(8, 922)}/${v}`,
  ),
  form(
    'Discord webhook',
    mixed(68, 923),
    (v) => `https://discord.${'com/api/webhooks/'}123456789012345678/${v}`,
  ),
  form('passphrase', pass(), (v) => `passphrase: ${v}`),
  form('numbered password', pass(), (v) => `password2=${v}`),
  form('private key field', hex(64, 924), (v) => `privateKey: "0x${v}"`),
  form('signing key', token(), (v) => `signingKey: '${v}'`),
];

export const COMMON_FORMS: readonly SecretForm[] = [
  form('kubeconfig', base64(400, 930), (v) => `users:\n- name: a\n  user:\n    client-key-data: ${v}==\n`),
  form('kubeconfig token', token(), (v) => `    token: ${v}\n`),
  form('Kubernetes secret', base64(24, 931), (v) => `kind: Secret\ndata:\n  password: ${v}\n`),
  form(
    'docker auth',
    Buffer.from(`bob:${word()}`).toString('base64'),
    (v) => `{"auths":{"h":{"auth": "${v}"}}}`,
  ),
  form(
    'docker auth in JSON',
    Buffer.from(`bob:${word()}`).toString('base64'),
    (v) => `{\\"auths\\":{\\"h\\":{\\"auth\\":\\"${v}\\"}}}`,
  ),
  form('npmrc', Buffer.from(`bob:${word()}`).toString('base64'), (v) => `//registry.example/:_auth=${v}`),
  form('npmrc token', token(), (v) => `//registry.example/:_authToken=${v}`),
  form('Maven', word(), (v) => `<server>\n  <id>x</id>\n  <password>${v}</password>\n</server>`),
  form('Maven passphrase', pass(), (v) => `<gpg.passphrase>${v}</gpg.passphrase>`),
  form('XML secret', token(), (v) => `<clientSecret>${v}</clientSecret>`),
  form('NuGet', word(), (v) => `<add key="ClearTextPassword" value="${v}" />`),
  form('Spring XML', word(), (v) => `<property name="password" value="${v}"/>`),
  form('property list', word(), (v) => `<key>Password</key>\n\t<string>${v}</string>`),
  form('netrc', word(), (v) => `machine api.example.com login bob password ${v}`),
  form('netrc on lines', word(), (v) => `machine api.example.com\n  login bob\n  password ${v}\n`),
  form('pgpass', word(), (v) => `db.internal:5432:shop:app:${v}`),
  form('pgpass, any', word(), (v) => `*:*:*:postgres:${v}\n`),
  form(
    'ppk',
    PPK[0]!,
    (v) =>
      `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 3\n${v}\n${PPK[1]}\n${PPK[2]}\nPrivate-MAC: ${hex(64, 932)}`,
  ),
  form('ppk of one line', base64(48, 933), (v) => `Private-Lines: 1\n${v}\nPrivate-MAC: ${hex(64, 934)}`),
  form('PEM middle', base64(64, 935), (v) => `${base64(64, 936)}\n${v}\n${base64(64, 937)}\n`),
  form(
    'PEM middle with numbers',
    base64(64, 938),
    (v) => `    5→${base64(64, 939)}\n    6→${v}\n    7→${base64(64, 940)}\n`,
  ),
  form(
    'PEM tail',
    base64(64, 941),
    (v) => `${base64(64, 942)}\n${v}\nq7R${lower(20, 943)}==\n${tail('RSA ')}`,
  ),
  form('PEM last line', base64(40, 944), (v) => `${v}==\n${tail('')}`),
  form('PEM in base64', base64(76, 945), (v) => `${base64(76, 946)}\n${v}\n${base64(76, 947)}\n`),
  form('mysql -p', word(), (v) => `mysql -u root -p${v} shop`),
  form('mysql -p quoted', word(), (v) => `mysqldump -uroot -p'${v}' shop`),
  form('docker login', word(), (v) => `docker login -u bob -p ${v} registry.example`),
  form('podman login', word(), (v) => `podman login --username bob -p ${v}`),
  form('az login', word(), (v) => `az login --service-principal -u x -p ${v}`),
  form('sshpass', word(), (v) => `sshpass -p ${v} ssh bob@h`),
  form('sshpass attached', word(), (v) => `sshpass -p'${v}' ssh bob@h`),
  form('redis-cli', word(), (v) => `redis-cli -h h -a ${v} ping`),
  form('curl attached', word(), (v) => `curl -ubob:${v} https://h`),
  form('curl --user=', word(), (v) => `curl --user=bob:${v} https://h`),
  form('curl --user quoted', word(), (v) => `curl -s --user "bob:${v}" https://h`),
  form('curl --proxy-user', word(), (v) => `curl --proxy-user bob:${v} https://h`),
  form('curl over lines', word(), (v) => `curl -s \\\n  -u bob:${v} \\\n  https://h`),
  form('openssl', word(), (v) => `openssl rsa -in k -passin pass:${v}`),
  form('mongosh', word(), (v) => `mongosh -u root -p ${v} --authenticationDatabase admin`),
  form('ldapsearch', word(), (v) => `ldapsearch -D cn=a -w ${v} -b dc=b`),
  form('smbclient', word(), (v) => `smbclient //h/s -U bob%${v}`),
  form('GH_PAT', token(), (v) => `GH_PAT=${v}`),
  form('key of the environment', token(), (v) => `STRIPE_KEY=${v}`),
  form('Dockerfile', token(), (v) => `ENV API_TOKEN ${v}`),
  form('Dockerfile password', word(), (v) => `ENV DB_PASSWORD ${v}`),
  form('csh', token(), (v) => `setenv API_TOKEN ${v}`),
  form('fish', token(), (v) => `set -gx API_TOKEN ${v}`),
  form('aws configure', base64(40, 948), (v) => `aws configure set aws_secret_access_key ${v}`),
  form('git config', token(), (v) => `git config --global github.token ${v}`),
  form('URL with a user only', mixed(24, 949), (v) => `https://${v}@git.example/x.git`),
  form('SQL', word(), (v) => `CREATE USER bob IDENTIFIED BY '${v}';`),
  form('SQL of Oracle', pass(), (v) => `ALTER USER bob IDENTIFIED BY ${v};`),
  form(
    'SQL of MySQL',
    word(),
    (v) => `ALTER USER 'bob'@'%' IDENTIFIED WITH mysql_native_password BY '${v}';`,
  ),
  form('SQL of PostgreSQL', word(), (v) => `ALTER ROLE bob WITH LOGIN PASSWORD '${v}';`),
  form('SQL of SQL Server', word(), (v) => `CREATE LOGIN bob WITH PASSWORD = '${v}';`),
  form('SQL set password', word(), (v) => `SET PASSWORD FOR 'bob'@'h' = PASSWORD('${v}');`),
  form('Oracle thin', word(), (v) => `jdbc:oracle:thin:scott/${v}@//h:1521/x`),
  form('signed URL', hex(64, 950), (v) => `https://b.s3.example/k?X-Amz-Signature=${v}`),
  form('prompt with words', token(), (v) => `Secret Access Key: ${v}`),
  form('API key in words', token(), (v) => `Your API Key: ${v}`),
  form('Ansible', word(), (v) => `ansible_ssh_pass=${v}`),
  form('keytool', word(), (v) => `keytool -importkeystore --srcstorepass=${v}`),
];
