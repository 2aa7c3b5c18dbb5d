import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import packageFile from '../package.json' with { type: 'json' }
import { ROOT } from './lib.ts'

test('after npm run build:console the service starts without building the console, which a service manager may forbid', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-console-build-'))
  const bin = join(folder, 'node_modules/.bin')
  try {
    mkdirSync(join(folder, 'scripts'))
    for (const file of ['bootstrap.mjs', 'build-console.ts', 'console-build.ts', 'lib.ts'])
      copyFileSync(join(ROOT, 'scripts', file), join(folder, 'scripts', file))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'package-lock.json'), '{"packages":{}}')
    mkdirSync(bin, { recursive: true })
    symlinkSync(process.execPath, join(bin, 'node'))
    writeFileSync(join(bin, 'vite'), '#!/bin/sh\nmkdir -p console/dist\n', { mode: 0o755 })
    const run = (command: string, path: string) =>
      spawnSync('/bin/sh', ['-c', command], { cwd: folder, env: { PATH: path }, encoding: 'utf8' })

    assert.equal(run('node scripts/bootstrap.mjs --installed', bin).status, 0)
    const built = run(packageFile.scripts['build:console'], `${bin}:/usr/bin:/bin`)
    assert.deepEqual([built.status, built.stderr], [0, ''])
    rmSync(join(bin, 'vite'))
    const start = `import('./scripts/console-build.ts').then(async (it) => console.log(await it.buildConsole()))`
    assert.equal(run(`node -e "${start}"`, bin).stdout, 'false\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
