import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { findBrowser } from './find.ts'

describe('the browser of a check', () => {
  let folder: string
  let other: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-find-'))
    other = mkdtempSync(join(tmpdir(), 'slipway-find-'))
  })
  after(() => {
    for (const path of [folder, other]) rmSync(path, { recursive: true })
  })
  const addProgram = (path: string) => {
    writeFileSync(path, '')
    chmodSync(path, 0o755)
    return path
  }

  test('a configured browser path is used unchanged, and no other browser is searched for when the path cannot be run', () => {
    const given = addProgram(join(folder, 'my-browser'))
    assert.equal(findBrowser(given, folder), given)
    assert.equal(findBrowser(join(folder, 'missing'), folder), null)
  })

  test('a headless shell in any folder is preferred to a whole browser, and files that cannot be run are skipped', () => {
    const browser = addProgram(join(folder, 'chromium'))
    writeFileSync(join(other, 'chrome-headless-shell'), '')
    const search = ['', folder, other].join(delimiter)
    assert.notEqual(findBrowser(null, search), join(other, 'chrome-headless-shell'))
    const shell = addProgram(join(other, 'chrome-headless-shell'))
    assert.equal(findBrowser(null, search), shell)
    assert.equal(findBrowser(browser, search), browser)
  })
})
