import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { describeLocalSettings } from '../../local/config.ts'
import { readConfig } from '../../server/config.ts'
import { LOCAL_NAMES } from '../../server/environment.ts'
import { ADMIN_COMMANDS } from '../admin/commands.ts'
import { ROOT } from '../lib.ts'

const readGuide = (name: string) => readFileSync(join(ROOT, 'docs/guides', name), 'utf8')

test('the guide of the operator commands lists exactly the existing commands', () => {
  const rows = readGuide('admin.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const named = rows.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`([a-z-]+)/g)].map(([, verb]) => verb),
  )
  assert.deepEqual([...new Set(named)].toSorted(), Object.keys(ADMIN_COMMANDS).toSorted())
})

test('the guide of the settings describes every environment variable that the local world reads', () => {
  const source = readFileSync(join(ROOT, 'local/config.ts'), 'utf8')
  const names = source.match(/(?<=^ {2})SLIPWAY_\w+(?=:)/gm) ?? []
  assert.ok(names.length > 15)
  const guide = readGuide('settings.md')
  assert.deepEqual(
    names.filter((name) => !guide.includes(`\n| \`${name}\` | `)),
    [],
  )
})

test('the service knows the name of every setting that only the local world reads, so that it can report a misspelt one', () => {
  const names = describeLocalSettings().map(({ name }) => name)
  assert.deepEqual(LOCAL_NAMES.toSorted(), names.toSorted())
})

/** Returns the first code block of a guide after this text. */
const blockAfter = (guide: string, text: string) =>
  /```\w*\n([\s\S]*?)```/.exec(guide.slice(guide.indexOf(text)))?.[1] ?? ''

test('the settings of the production guide are a file that systemd and a shell read alike, and the service accepts them', () => {
  for (const heading of ['## Settings', '## Several processes']) {
    const lines = blockAfter(readGuide('production.md'), heading).trimEnd().split('\n')
    const settings = lines.filter((line) => !line.startsWith('#'))
    for (const line of settings) assert.match(line, /^[A-Z_]+=(?:[\w:/.,@-]+|'[^']+')$/)
    const values = settings.map((line) => line.split(/=(.*)/, 2))
    const env = Object.fromEntries(values.map(([name, value]) => [name, value?.replaceAll("'", '')]))
    assert.deepEqual(readConfig(env).warnings, [])
  }
})

const mayRunAsUser = process.getuid?.() === 0 && spawnSync('runuser', ['--version']).status === 0

test(
  'the script for operator commands in the production guide uses the settings of the service and passes on arguments and exit codes',
  { skip: !mayRunAsUser },
  () => {
    const script = blockAfter(readGuide('production.md'), '`/usr/local/bin/slipway-admin`')
    const folder = mkdtempSync(join(tmpdir(), 'slipway admin-'))
    const settings = join(folder, 'slipway.env')
    const own = script
      .replaceAll('/opt/slipway', ROOT)
      .replaceAll('/etc/slipway.env', `"${settings}"`)
      .replace('-u slipway', '-u root')
    const runWith = (text: string, ...args: string[]) => {
      writeFileSync(settings, text)
      const { status, stdout, stderr } = spawnSync('sh', ['-c', own, 'slipway-admin', ...args], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] },
      })
      return [status, stdout + stderr]
    }
    try {
      const dataDir = join(folder, 'no data')
      assert.deepEqual(runWith(`SLIPWAY_DATA_DIR='${dataDir}'\n`, 'organizations'), [
        1,
        `There is no Slipway in ${dataDir}. Set SLIPWAY_DATA_DIR to the data directory of yours, or DATABASE_URL.\n`,
      ])
      const backup = join(folder, 'no backup')
      const [status, said] = runWith(`SLIPWAY_DATA_DIR='${dataDir}'\n`, 'restore', backup)
      assert.equal(status, 1)
      assert.ok(String(said).includes(backup))
      assert.equal(runWith("SLIPWAY_PORT='a lot'\n", 'organizations')[0], 2)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test('systemd accepts the unit file of the production guide', { skip: !hasSystemd }, () => {
  const unit = /```ini\n([\s\S]*?)```/.exec(readGuide('production.md'))?.[1] ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'slipway-unit-'))
  try {
    // Use this checkout in place of /opt/slipway, the folder that the guide names.
    writeFileSync(join(folder, 'slipway.service'), unit.replaceAll('/opt/slipway', ROOT))
    // For an unknown setting systemd does not fail, but prints a line to stderr.
    const { status, stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', join(folder, 'slipway.service')],
      { encoding: 'utf8' },
    )
    const said = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('slipway.service'))
    assert.deepEqual([status, said], [0, []])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
