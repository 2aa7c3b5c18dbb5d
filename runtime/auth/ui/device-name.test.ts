import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deviceName } from './device-name.ts'

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${WEBKIT}`
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const BLINK = `${WINDOWS} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36`

const assertNames = (names: Record<string, string>) => {
  for (const [agent, name] of Object.entries(names)) assert.equal(deviceName(agent), name, agent)
}

describe('the name of a device in the list of sign-ins', () => {
  test('a device is named after its browser and its operating system', () => {
    assertNames({
      [`${WINDOWS} Gecko/20100101 Firefox/140.0`]: 'Firefox on Windows',
      [BLINK]: 'Chrome on Windows',
      [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.5 Safari/605.1.15`]:
        'Safari on Mac',
      [`Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) ${WEBKIT} Version/16.6 Mobile/15E148 Safari/604.1`]:
        'Safari on iPad',
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox on Linux',
      [`${ANDROID} Chrome/138.0.0.0 Mobile Safari/537.36`]: 'Chrome on Android',
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36':
        'Chrome on ChromeOS',
    })
  })

  test('a browser whose user agent also names Chrome or Safari is shown under its own name', () => {
    assertNames({
      [`${BLINK} Edg/138.0.0.0`]: 'Edge on Windows',
      [`${ANDROID} Chrome/138.0.0.0 Mobile Safari/537.36 EdgA/138.0.0.0`]: 'Edge on Android',
      [`${BLINK} OPR/120.0.0.0`]: 'Opera on Windows',
      [`${ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`]: 'Samsung Internet on Android',
      [`${IPHONE} CriOS/138.0.7204.119 Mobile/15E148 Safari/604.1`]: 'Chrome on iPhone',
      [`${IPHONE} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`]: 'Firefox on iPhone',
      [`${IPHONE} Version/18.0 EdgiOS/138.0.0.0 Mobile/15E148 Safari/604.1`]: 'Edge on iPhone',
    })
  })

  test('a web app on the home screen of an iPhone, whose user agent names no browser, is shown as "iPhone"', () => {
    assert.equal(deviceName(`${IPHONE} Mobile/15E148`), 'iPhone')
  })

  test('a device whose browser and operating system are not known is shown as "Unknown device"', () => {
    for (const agent of ['', 'curl/8.5.0', 'okhttp/4.12']) assert.equal(deviceName(agent), 'Unknown device')
  })
})
