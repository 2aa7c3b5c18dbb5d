import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AssetPath } from './asset-path.ts'
import { TRAVERSAL_PATHS } from './testing.ts'

describe('asset paths', () => {
  const take = (path: string) => AssetPath.safeParse(path)

  test('an asset path may have folders and letters of any script', () => {
    for (const path of [
      'a',
      'logo.png',
      'img/2024/Größe (1).jpg',
      '写真/花.webp',
      "it's fine, really.txt",
      '.hidden',
      'a..b/c._d',
    ])
      assert.equal(take(path).data, path)
  })

  test('an asset path is normalized to composed characters without full-width forms', () => {
    assert.equal(take('Gro\u0308ße.txt').data, 'Größe.txt')
    assert.equal(take('ｌｏｇｏ.png').data, 'logo.png')
  })

  test('each of more than two hundred spellings of a path traversal is refused or becomes a path inside the folder', () => {
    assert.ok(TRAVERSAL_PATHS.length > 200)
    for (const path of TRAVERSAL_PATHS) {
      const { data } = take(path)
      if (data === undefined) continue
      const parts = data.split('/')
      assert.ok(
        !data.startsWith('_') && !parts.some((part) => /^\.*$|[\\%:]/.test(part)),
        `${path} became ${data}`,
      )
    }
  })

  test('an asset path that is reserved, empty or too long is refused', () => {
    for (const path of [
      '_prompt/x',
      '＿prompt/x',
      '_upload/x',
      '_x',
      '',
      '/',
      'a/',
      '/a',
      'a//b',
      '..',
      'a/../b',
      'a\\b',
      'a%2fb',
      'a\u0000b',
      'a\nb',
      'a\u202eb',
      ' a',
      'a /b',
      'x'.repeat(256),
      'é'.repeat(255) + '/' + 'é'.repeat(10),
    ])
      assert.equal(take(path).success, false, JSON.stringify(path))
  })
})
