import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Focus, LeaderKey, mayFireChord, mayFirePlain, type KeyPress } from './shortcut-gate.ts'

const keyPress = (key: string, part: Partial<KeyPress> = {}): KeyPress => ({
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
  test('a single-character shortcut acts on the page and on a focused button', () => {
    assert.equal(mayFirePlain(keyPress('j'), page, true), true)
    assert.equal(mayFirePlain(keyPress('?'), { ...page, onControl: true }, true), true)
  })

  test('a single-character shortcut never acts in a text field, a dialog or a menu', () => {
    assert.equal(mayFirePlain(keyPress('j'), { ...page, inField: true }, true), false)
    assert.equal(mayFirePlain(keyPress('j'), { ...page, inLayer: true }, true), false)
  })

  test('a single-character shortcut is ignored when switched off, and for a repeated, handled or composing key press', () => {
    assert.equal(mayFirePlain(keyPress('j'), page, false), false)
    for (const part of [{ isComposing: true }, { repeat: true }, { defaultPrevented: true }])
      assert.equal(mayFirePlain(keyPress('j', part), page, true), false)
  })

  test('a single-character shortcut works with AltGr, which reports Ctrl and Alt, but not with Ctrl or ⌘', () => {
    assert.equal(mayFirePlain(keyPress('p', { ctrlKey: true }), page, true), false)
    assert.equal(mayFirePlain(keyPress('p', { metaKey: true }), page, true), false)
    assert.equal(mayFirePlain(keyPress('[', { ctrlKey: true, altKey: true }), page, true), true)
  })
})

describe('a key that a focused control may handle itself', () => {
  test('on a focused control Enter is no shortcut, but Escape and arrow keys are, even without single-character shortcuts', () => {
    assert.equal(mayFirePlain(keyPress('Enter'), { ...page, onControl: true }, true), false)
    assert.equal(mayFirePlain(keyPress('ArrowDown', { repeat: true }), page, false), true)
    assert.equal(mayFirePlain(keyPress('Escape'), { ...page, onControl: true }, false), true)
  })
})

describe('a shortcut with Ctrl or ⌘', () => {
  test('a shortcut with Ctrl or ⌘ acts in text fields, but not in dialogs', () => {
    const chord = keyPress('k', { ctrlKey: true })
    assert.equal(mayFireChord(chord, { ...page, inField: true }), true)
    assert.equal(mayFireChord(chord, { ...page, inLayer: true }), false)
  })
})

describe('the second key of a sequence', () => {
  test('the second key of a shortcut sequence must follow the leader key within a second, and acts once', () => {
    const leader = new LeaderKey('g')
    assert.equal(leader.press('p', 0), false)
    assert.equal(leader.press('g', 100), false)
    assert.equal(leader.press('p', 900), true)
    assert.equal(leader.press('p', 950), false)
    leader.press('g', 2000)
    assert.equal(leader.press('p', 3001), false)
  })
})
