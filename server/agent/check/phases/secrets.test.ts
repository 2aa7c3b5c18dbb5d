import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { cpuMs } from '../../../testing/cpu.ts'
import { findCredentials, findKnownSecrets } from './secrets.ts'

const require = createRequire(import.meta.url)
const nothingLocked = () => false
const scan = (files: Record<string, string>) => findCredentials(new Map(Object.entries(files)), nothingLocked)
const random = 'q7Zt0xK3vB9mLw2RfYc8HdNs5PjGuA4eT1oXiC6V'
const hex = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b'

const glue = (...parts: string[]) => parts.join('')

// Assembled here, so that this file itself does not look like a leak to scanners.
const POSITIVES: Record<string, string> = {
  'model key': `const k = '${glue('sk', '-')}${random}'`,
  'model key of a project': `'${glue('sk', '-proj-')}${random}'`,
  'model key of another maker': `'${glue('sk', '-ant-api03-')}${random}'`,
  'live payment key': `'${glue('sk', '_live_')}${random.slice(0, 24)}'`,
  'restricted payment key': `'${glue('rk', '_live_')}${random.slice(0, 24)}'`,
  'payment key in a URL': `https://x.test/?k=${glue('sk', '_live_')}${random.slice(0, 24)}`,
  'GitHub token': `'${glue('ghp', '_')}${random.slice(0, 36)}'`,
  'GitHub server token': `'${glue('ghs', '_')}${random.slice(0, 36)}'`,
  'GitHub fine-grained token': `'${glue('github', '_pat_')}${random}_${random}'`,
  'AWS key': `'${glue('AKIA', 'IOSFODNN7')}EXAMPLQ'`,
  'AWS key in JSON': `{"id":"${glue('AKIA', 'J3F7QW2K')}9XZB4TND"}`,
  'Slack bot token': `'${glue('xoxb', '-')}2048-1234567890-${random.slice(0, 20)}'`,
  'Slack user token': `'${glue('xoxp', '-')}2048-1234567890-${random.slice(0, 20)}'`,
  'Slipway key': `'${glue('svk', '_')}${random}'`,
  'webhook secret': `'${glue('whsec', '_')}${random}'`,
  'webhook secret with padding': `'${glue('whsec', '_')}${random.slice(0, 30)}=='`,
  'Google key': `'${glue('AI', 'za')}${random.slice(0, 35)}'`,
  'RSA key': `${glue('-----BEGIN RSA ', 'PRIVATE KEY-----')}\nMIIE`,
  'plain private key': `\`${glue('-----BEGIN ', 'PRIVATE KEY-----')}\nMIIE`,
  'OpenSSH key': `'${glue('-----BEGIN OPENSSH ', 'PRIVATE KEY-----')}\\nb3Bl'`,
  'signed token': `'${glue('eyJ', 'hbGciOiJIUzI1NiJ9')}.${glue('eyJ', 'zdWIiOiIxMjM0In0')}.${random}'`,
  'named constant': `const apiKey = '${random}'`,
  'named property': `{ clientSecret: "${random}" }`,
  'named JSON member': `{ "access_token": "${random}" }`,
  'named in capitals': `const ENCRYPTION_KEY = \`${random}\``,
  'password assignment': `config.password = '${random}'`,
  'a token with dots': `authToken = '${random.slice(0, 20)}.${random.slice(20)}'`,
  'key in HTML': `<script>var mapKey="${random}"</script>`,
  'key in Markdown': `token: "${random}"`,
  'two on one line': `'${glue('sk', '_live_')}${random.slice(0, 24)}' '${glue('ghp', '_')}${random.slice(0, 36)}'`,
}

test('thirty kinds of credentials are reported by line and never printed', () => {
  assert.equal(Object.keys(POSITIVES).length, 30)
  for (const [name, line] of Object.entries(POSITIVES)) {
    const errors = scan({ 'server/x.ts': `// first line\n\n${line}\n` })
    assert.ok(errors.length > 0, `${name} was not found`)
    assert.deepEqual([errors[0]?.file, errors[0]?.line, errors[0]?.code], ['server/x.ts', 3, 'secret'], name)
    for (const error of errors) assert.equal(JSON.stringify(error).includes(random.slice(0, 24)), false, name)
  }
})

test('two hundred published source files contain nothing that is reported as a credential', () => {
  const files = ['hono', 'zod', 'date-fns', 'react', 'react-dom'].flatMap((name) => sources(name, 40))
  assert.equal(files.length >= 150, true, `only ${files.length} files`)
  const own = readdirSync(new URL('../..', import.meta.url), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  const all = [...files, ...own].slice(0, 250)
  assert.ok(all.length >= 200, `only ${all.length} files`)
  const tree = new Map(all.map((path, i) => [`server/${i}.ts`, readFileSync(path, 'utf8')]))
  assert.deepEqual(
    findCredentials(tree, nothingLocked).map(
      ({ file, line, message }) => `${all[Number(file.slice(7, -3))]}:${line} ${message}`,
    ),
    [],
  )
})

test('words, email addresses, alphabets, hashes and placeholders are not reported as secrets', () => {
  const clean = [
    `const tokenAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'`,
    `const tokenUrl = 'https://auth.example.com/realms/customers/protocol/openid-connect/token'`,
    `key: 'settings.account.security.password.reset'`,
    'const secretMessage = `The quick brown fox jumps over ${count} lazy dogs today`',
    `.sk-folding-cube-animation-container-2 { color: red }`,
    `const passwordHint = 'At least 12 characters, one of them a digit'`,
    `const commitKey = '${hex}'`,
    `const apiKey = process.env.API_KEY`,
    `<input type="password" placeholder="your-secret-api-key-goes-here-please" />`,
  ]
  for (const line of clean) assert.deepEqual(scan({ 'server/x.ts': line }), [], line)
})

test('browser code may not read process.env or import server code, but may mention both in strings', () => {
  const errors = scan({
    'web/pages/Home.tsx': `import { db } from '../../server/routes'\nconst mode = process.env.MODE\n`,
    'web/ok.ts': `// process.env and import x from '../server/x'\nimport { a } from '../shared/server-names'\n`,
    'server/ok.ts': `import { helper } from './server/helper'\nprocess.env.X\n`,
  })
  assert.deepEqual(
    errors.map(({ file, line, code }) => `${file}:${line} ${code}`).toSorted((a, b) => a.localeCompare(b)),
    ['web/pages/Home.tsx:1 server_in_web', 'web/pages/Home.tsx:2 env_in_web'],
  )
})

test('a string that looks like the start of a comment does not hide a use of process.env or an import of server code', () => {
  const strings = [
    `<input type="file" accept="image/*" />`,
    `const files = 'web/**/*.tsx'`,
    `const url = 'https://example.test'`,
    `const quoted = "it's // \\" /* "`,
    `const href = \`https://example.test\``,
  ]
  for (const line of strings) {
    const found = (text: string) => scan({ 'web/x.tsx': text }).map(({ line: at, code }) => `${at} ${code}`)
    assert.deepEqual(found(`${line}\nconst mode = process.env.MODE\n`), ['2 env_in_web'], line)
    assert.deepEqual(found(`${line}\nawait import('../server/x')\n`), ['2 server_in_web'], line)
    assert.deepEqual(found(`${line}\n/* process.env\n import '../server/x' */ // process.env\n`), [], line)
  }
})

test('a use of process.env in a comment is not reported, even if the comment is unclosed or contains quotes', () => {
  for (const comment of [
    '// process.env',
    "// it's process.env, don't",
    '/* process.env',
    '/* "process.env */',
    "/* don't\n\n * use process.env */ const a = 1",
    "{/* don't use process.env */}",
    '<p>don’t</p> // process.env',
  ])
    assert.deepEqual(scan({ 'web/x.tsx': `${comment}\n` }), [], comment)
})

test('a credential that exists only after bundling is found in the bundle', () => {
  assert.equal(findKnownSecrets(`var a="${glue('sk', '_live_')}${random.slice(0, 24)}"`).length, 1)
})

test('text that is crafted to slow down the scan for secrets is scanned in less than five seconds', () => {
  const tookMs = cpuMs(() => {
    for (const unit of [
      'sk-',
      'eyJ',
      'key="',
      'token: ',
      '/*',
      '//',
      'import ',
      'a',
      "'",
      `"'`,
      "\\'",
      `'\\`,
      '*/"',
    ])
      scan({ 'web/x.ts': unit.repeat(200_000 / unit.length) })
  })
  assert.ok(tookMs < 5000, `${tookMs} ms`)
})

function sources(name: string, count: number): string[] {
  const main = require.resolve(name, { paths: [require.resolve('@slipway/runtime/package.json')] })
  const inner = join('node_modules', name)
  const folder = main.slice(0, main.lastIndexOf(inner) + inner.length)
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:js|mjs|d\.ts)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort((a, b) => a.localeCompare(b))
    .slice(0, count)
}
