import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PaySettings } from './declaration.ts'

test('the page to which a buyer returns after payment is a path of the app and never an address of another site', () => {
  for (const path of ['/', '/thanks', '/thanks?from=shop&all=1#end', '/danke/für/alles', '/a//b'])
    for (const name of ['successPath', 'cancelPath'])
      assert.equal(PaySettings.safeParse({ [name]: path }).success, true, `${name} ${path}`)
  for (const path of [
    '',
    'thanks',
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    'https://evil.test',
  ])
    for (const name of ['successPath', 'cancelPath'])
      assert.equal(PaySettings.safeParse({ [name]: path }).success, false, `${name} ${JSON.stringify(path)}`)
})
