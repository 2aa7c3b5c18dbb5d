import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { candidateOf, FILE_BYTES_MAX, uploadProblem } from './upload-check.ts'

const chosenFile = (name: string, type = 'image/png', size = 10) => ({ name, type, size })

describe('checking a file before its upload', () => {
  test('a file name with any characters becomes an asset path that the service accepts', () => {
    for (const [name, folder, path] of [
      ['logo.png', '', 'logo.png'],
      ['logo.png', 'img/2026', 'img/2026/logo.png'],
      ['logo.png', '/img//', 'img/logo.png'],
      ['a?b#c%.png', '', 'a-b-c-.png'],
      ['_prompt', '', 'prompt'],
      ['x.png', '_prompt', 'prompt/x.png'],
      ['x.png', '../..', 'x.png'],
      ['日本語 ｆｕｌｌ.txt', '', '日本語 full.txt'],
    ] as const) {
      const made = candidateOf(chosenFile(name), folder)
      assert.equal(made.path, path)
    }
  })

  test('no part of the path of an asset is empty, consists of dots, or begins with a reserved underscore or a blank', () => {
    for (const [name, folder, path] of [
      ['x.png', '_', 'x.png'],
      ['x.png', '__/_/', 'x.png'],
      ['x.png', '_ img', 'img/x.png'],
      ['x.png', '_..', 'x.png'],
      ['x.png', '_../_..', 'x.png'],
      ['x.png', 'img/_private', 'img/_private/x.png'],
      ['_', '', ''],
      ['_._', '', '._'],
      [' x.png ', ' img ', 'img/x.png'],
      ['x.png', '․․', 'x.png'],
    ] as const)
      assert.equal(candidateOf(chosenFile(name), folder).path, path, `${folder}/${name}`)
  })

  test('a file of a folder that is dropped as assets keeps its path inside that folder', () => {
    const file = { ...chosenFile('a.png'), webkitRelativePath: '_photos/2026/a.png' }
    assert.equal(candidateOf(file, 'img').path, 'img/_photos/2026/a.png')
    assert.equal(candidateOf(file, '').path, 'photos/2026/a.png')
  })

  test('an asset file with a missing or invalid content type is uploaded as application/octet-stream', () => {
    assert.equal(candidateOf(chosenFile('a.png'), '').contentType, 'image/png')
    for (const none of ['', 'png', 'text/plain\r\nx: y'])
      assert.equal(candidateOf(chosenFile('a', none), '').contentType, 'application/octet-stream')
  })

  test('an upload of assets rejects an empty file, a file that is too large and an unusable name', () => {
    const check = (name: string, size: number) =>
      uploadProblem(candidateOf(chosenFile(name, 'a/b', size), ''), new Set())
    assert.equal(check('a', 1), null)
    assert.equal(check('a', FILE_BYTES_MAX), null)
    assert.equal(check('a', FILE_BYTES_MAX + 1), 'tooLarge')
    assert.equal(check('a', 0), 'empty')
    assert.equal(check('..', 1), 'noName')
    assert.equal(check('é'.repeat(257), 1), 'noName')
  })
})
