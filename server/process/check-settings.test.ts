import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError } from '../config.ts'
import { checkSettings } from './check-settings.ts'

const FITTING = { trustedProxies: ['10.0.0.0/8', '::1'], chromium: process.execPath, seesPages: true }

test('the service starts with trusted proxies that are addresses or CIDRs and a configured browser that can be executed', () => {
  checkSettings(FITTING)
  checkSettings({ ...FITTING, trustedProxies: [], chromium: null })
})

test('the service refuses to start with a trusted proxy that is neither an address nor a CIDR, and names the setting', () => {
  assert.throws(
    () => checkSettings({ ...FITTING, trustedProxies: ['10.0.0.1', 'proxy.internal'] }),
    new ConfigError('SLIPWAY_TRUSTED_PROXIES: "proxy.internal" is neither an address nor a CIDR.'),
  )
})

test('the service refuses to start with a configured browser that cannot be executed, unless the check of pages is disabled', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-browser-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'chrome')
  writeFileSync(file, 'no program', { mode: 0o600 })
  for (const chromium of [join(folder, 'missing'), file]) {
    assert.throws(
      () => checkSettings({ ...FITTING, chromium }),
      new ConfigError(
        `SLIPWAY_CHROMIUM: there is no program at "${chromium}" that this user may run. ` +
          'Leave it empty to search for a browser, or set SLIPWAY_SEE_PAGES=off.',
      ),
    )
    checkSettings({ ...FITTING, chromium, seesPages: false })
  }
})
