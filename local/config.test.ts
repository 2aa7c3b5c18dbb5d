import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'
import { describeLocalSettings, readConfig, SettingsError } from './config.ts'

const DEFAULTS = {
  dir: resolve('.slipway/local'),
  port: 4310,
  appsPort: 4320,
  appsHost: '127.0.0.1',
  control: false,
  timeScale: 1,
  maxWarm: null,
  idleMs: 600_000,
  spinCpuSeconds: 10,
  egressAllow: [],
  trustedProxies: [],
  baseUrl: null,
  ai: null,
  relay: null,
  chromium: null,
}

/** Returns the name of the first setting that `readConfig` rejects; null when it accepts all. */
const refused = (env: Record<string, string>): unknown => {
  try {
    readConfig(env)
    return null
  } catch (error) {
    return error instanceof SettingsError ? error.message.split(':')[0] : error
  }
}

describe('the settings of the local world', () => {
  test("unset and empty settings of the local world have their defaults, and other programs' settings are ignored", () => {
    const empty = {
      SLIPWAY_LOCAL_PORT: '',
      SLIPWAY_LOCAL_AI_URL: '',
      SLIPWAY_LOCAL_CONTROL: ' ',
      SLIPWAY_APPS_PORT: ' ',
      SLIPWAY_BASE_URL: undefined,
    }
    assert.deepEqual(
      [readConfig({}), readConfig(empty), readConfig({ PATH: '/bin', PORT: '1' })],
      [DEFAULTS, DEFAULTS, DEFAULTS],
    )
  })

  test('every setting of the local world is read and converted to the unit in the name of its field', () => {
    assert.deepEqual(
      readConfig({
        SLIPWAY_DATA_DIR: '/data',
        SLIPWAY_LOCAL_PORT: '0',
        SLIPWAY_APPS_PORT: '65535',
        SLIPWAY_APPS_HOST: '0.0.0.0',
        SLIPWAY_LOCAL_CONTROL: 'on',
        SLIPWAY_LOCAL_TIME_SCALE: '0.05',
        SLIPWAY_LOCAL_MAX_WARM: '3',
        SLIPWAY_LOCAL_IDLE_MINUTES: '0.5',
        SLIPWAY_LOCAL_SPIN_SECONDS: '2',
        SLIPWAY_LOCAL_EGRESS_ALLOW: ' 127.0.0.1:5432, ,db:1 ,',
        SLIPWAY_TRUSTED_PROXIES: '10.0.0.0/8',
        SLIPWAY_BASE_URL: 'https://slipway.example',
        SLIPWAY_LOCAL_AI_URL: 'http://127.0.0.1:11434/v1',
        SLIPWAY_LOCAL_AI_KEY: 'secret',
        SLIPWAY_LOCAL_SMTP_URL: 'smtps://mail.example',
        SLIPWAY_LOCAL_SMTP_FROM: 'app@mail.example',
        SLIPWAY_CHROMIUM: '/usr/bin/chromium',
      }),
      {
        dir: '/data/local',
        port: 0,
        appsPort: 65_535,
        appsHost: '0.0.0.0',
        control: true,
        timeScale: 0.05,
        maxWarm: 3,
        idleMs: 30_000,
        spinCpuSeconds: 2,
        egressAllow: ['127.0.0.1:5432', 'db:1'],
        trustedProxies: ['10.0.0.0/8'],
        baseUrl: 'https://slipway.example',
        ai: { url: 'http://127.0.0.1:11434/v1', key: 'secret' },
        relay: { url: 'smtps://mail.example', from: 'app@mail.example' },
        chromium: '/usr/bin/chromium',
      },
    )
  })

  test('a model server may have no key and a mail server no sender; a key or sender without a server is ignored', () => {
    const { ai, relay } = readConfig({
      SLIPWAY_LOCAL_AI_URL: 'http://ai.test/',
      SLIPWAY_LOCAL_SMTP_URL: 'smtp://mail.test',
    })
    assert.deepEqual(
      [ai, relay],
      [
        { url: 'http://ai.test/', key: null },
        { url: 'smtp://mail.test', from: null },
      ],
    )
    assert.deepEqual(readConfig({ SLIPWAY_LOCAL_AI_KEY: 'k', SLIPWAY_LOCAL_SMTP_FROM: 'a@b.test' }), DEFAULTS)
  })

  test('the description of every setting that only the local world reads says what an empty value means', () => {
    const settings = describeLocalSettings()
    assert.ok(settings.length > 0)
    for (const { name, meaning } of settings) assert.match(meaning, /Empty:/, name)
  })

  test('the error for invalid settings of the local world has a line for each of them with its meaning', () => {
    assert.throws(() => readConfig({ SLIPWAY_LOCAL_MAX_WARM: '0', SLIPWAY_LOCAL_SPIN_SECONDS: 'x' }), {
      message:
        /^SLIPWAY_LOCAL_MAX_WARM: .+\. Processes of apps .+\nSLIPWAY_LOCAL_SPIN_SECONDS: .+\. Seconds of CPU time .+$/,
    })
  })

  test('reading an invalid setting of the local world fails with the name of the setting', () => {
    const wrong: Record<string, string[]> = {
      SLIPWAY_LOCAL_PORT: ['-1', '65536', '1.5', 'http'],
      SLIPWAY_APPS_PORT: ['99999'],
      SLIPWAY_LOCAL_CONTROL: ['true', 'ON', '1'],
      SLIPWAY_LOCAL_TIME_SCALE: ['0', '-1', 'fast', 'Infinity'],
      SLIPWAY_LOCAL_MAX_WARM: ['0', '1.5'],
      SLIPWAY_LOCAL_IDLE_MINUTES: ['0', '-5'],
      SLIPWAY_LOCAL_SPIN_SECONDS: ['0', 'x'],
      SLIPWAY_BASE_URL: ['slipway.example', 'localhost:4300'],
      SLIPWAY_LOCAL_AI_URL: ['ai.test', 'localhost:11434/v1', 'file:///etc/passwd'],
      SLIPWAY_LOCAL_SMTP_URL: ['http://mail.test', 'mail.test:25'],
      SLIPWAY_LOCAL_SMTP_FROM: ['app'],
    }
    const outcomes = Object.entries(wrong).flatMap(([name, values]) =>
      values.map((value) => [name, value, refused({ [name]: value })]),
    )
    assert.deepEqual(
      outcomes,
      outcomes.map(([name, value]) => [name, value, name]),
    )
  })
})
