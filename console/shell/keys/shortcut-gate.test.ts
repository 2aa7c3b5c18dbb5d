import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Focus, LeaderKey, mayFireChord, mayFirePlain, type Press } from './shortcut-gate.ts'

const press = (key: string, part: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  isComposing: false,
  defaultPrevented: false,
  ...part,
})
const page: Focus = { inField: false, inLayer: false, onControl: false }

describe('a shortcut of one character', () => {
  test('acts on the page, and on a focused button', () => {
    assert.equal(mayFirePlain(press('j'), page, true), true)
    assert.equal(mayFirePlain(press('?'), { ...page, onControl: true }, true), true)
  })

  test('never acts in a field, a dialog or a menu', () => {
    assert.equal(mayFirePlain(press('j'), { ...page, inField: true }, true), false)
    assert.equal(mayFirePlain(press('j'), { ...page, inLayer: true }, true), false)
  })

  test('never acts while it is switched off, composed, held down or already used', () => {
    assert.equal(mayFirePlain(press('j'), page, false), false)
    for (const part of [{ isComposing: true }, { repeat: true }, { defaultPrevented: true }])
      assert.equal(mayFirePlain(press('j', part), page, true), false)
  })

  test('leaves the chords of browser and system alone, but reads AltGr as writing', () => {
    assert.equal(mayFirePlain(press('p', { ctrlKey: true }), page, true), false)
    assert.equal(mayFirePlain(press('p', { metaKey: true }), page, true), false)
    assert.equal(mayFirePlain(press('[', { ctrlKey: true, altKey: true }), page, true), true)
  })
})

describe('a key with a meaning of its own', () => {
  test('stays with the focused control and acts on the page otherwise, letters on or off', () => {
    assert.equal(mayFirePlain(press('Enter'), { ...page, onControl: true }, true), false)
    assert.equal(mayFirePlain(press('ArrowDown', { repeat: true }), page, false), true)
    assert.equal(mayFirePlain(press('Escape'), { ...page, onControl: true }, false), true)
  })
})

describe('a chord', () => {
  test('acts in fields and not in dialogs', () => {
    const chord = press('k', { ctrlKey: true })
    assert.equal(mayFireChord(chord, { ...page, inField: true }), true)
    assert.equal(mayFireChord(chord, { ...page, inLayer: true }), false)
  })
})

describe('the second key of a sequence', () => {
  test('is known as such for a second after the first', () => {
    const leader = new LeaderKey('g')
    assert.equal(leader.press('p', 0), false)
    assert.equal(leader.press('g', 100), false)
    assert.equal(leader.press('p', 900), true)
    assert.equal(leader.press('p', 950), false)
    leader.press('g', 2000)
    assert.equal(leader.press('p', 3001), false)
  })
})
