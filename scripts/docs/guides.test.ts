import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
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
