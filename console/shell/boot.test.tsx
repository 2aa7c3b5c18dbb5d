import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { readBoot } from './boot.ts'

const BOOT = {
  version: '1.2.0',
  signup: 'invite',
  mail: 'smtp',
  localWorld: false,
  mailboxUrl: null,
}
const UNDER_VITE = { version: 'dev', signup: 'open', mail: 'held', localWorld: true, mailboxUrl: null }

describe('the data that the service writes into the page', () => {
  afterEach(() => document.getElementById('boot')?.remove())

  const readFrom = (text: string) => {
    const script = Object.assign(document.createElement('script'), { type: 'application/json', id: 'boot' })
    script.textContent = text
    document.body.append(script)
    const boot = readBoot()
    script.remove()
    return boot
  }

  test('the data that the server embeds in the HTML page is read unchanged', () => {
    assert.deepEqual(readFrom(JSON.stringify(BOOT)), BOOT)
  })

  test('without valid data in the page, the development server defaults are used', () => {
    for (const text of ['', '__BOOT__', 'null', '{}', JSON.stringify({ ...BOOT, mail: 'post' })])
      assert.deepEqual(readFrom(text), UNDER_VITE, text)
  })
})
