import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent } from '@testing-library/react'
import { button, field, show } from '../../testing/console.tsx'
import { setSingleKeys } from './single-keys.ts'
import { type ShortcutId, useFallbackShortcut, useShortcut } from './shortcuts.ts'

function Shortcut(props: { id: ShortcutId; onPress: (event: KeyboardEvent) => unknown; enabled?: boolean }) {
  useShortcut(props.id, props.onPress, props.enabled)
  return null
}
function FallbackShortcut(props: { id: ShortcutId; onPress: () => unknown }) {
  useFallbackShortcut(props.id, props.onPress)
  return null
}

/** Binds the shortcuts `ids` on a page with a text field, a button and a code editor. Returns the shortcuts that acted. */
function renderShortcuts(...ids: ShortcutId[]) {
  const did: string[] = []
  show(
    <>
      {ids.map((id) => (
        <Shortcut key={id} id={id} onPress={() => did.push(id)} />
      ))}
      <input aria-label="Note" />
      <button type="button">Open</button>
      <div role="textbox" aria-label="Code" tabIndex={0} aria-readonly="true" />
      <div contentEditable suppressContentEditableWarning aria-label="Rich text" role="textbox" />
    </>,
  )
  return did
}
/** Presses a key and returns whether the browser may still act on it. */
const pressKey = (key: string, part: KeyboardEventInit = {}, target: Element = document.body) =>
  fireEvent.keyDown(target, { key, ...part })

describe('a keyboard shortcut', () => {
  test('a shortcut acts once for a key press, and prevents the default action of the browser', () => {
    const did = renderShortcuts('search')
    assert.equal(pressKey('/'), false)
    assert.deepEqual(did, ['search'])
  })

  test('a shortcut is matched by character, so that it works on keyboards where the character needs Shift or AltGr', () => {
    const did = renderShortcuts('shortcuts', 'search', 'foldLeft')
    pressKey('?', { shiftKey: true, code: 'Minus' })
    pressKey('/', { shiftKey: true, code: 'Digit7' })
    pressKey('[', { ctrlKey: true, altKey: true, code: 'Digit8' })
    assert.deepEqual(did, ['shortcuts', 'search', 'foldLeft'])
  })

  test('on a German Mac keyboard, a bracket typed with Option folds the pane', () => {
    const did = renderShortcuts('foldLeft', 'foldRight')
    pressKey('[', { altKey: true, code: 'Digit5' })
    pressKey(']', { altKey: true, code: 'Digit6' })
    assert.deepEqual(did, ['foldLeft', 'foldRight'])
  })

  test('a letter or digit with Alt is not a shortcut, because browsers and screen readers use these combinations', () => {
    const did = renderShortcuts('queueTicket', 'showPlan')
    pressKey('q', { altKey: true })
    pressKey('1', { altKey: true })
    assert.deepEqual(did, [])
  })

  test('a key in an editable text only types, but in a read-only code editor it can be a shortcut', () => {
    const did = renderShortcuts('search')
    assert.equal(pressKey('/', {}, field('Note')), true)
    assert.equal(pressKey('/', {}, field('Rich text')), true)
    assert.deepEqual(did, [])
    pressKey('/', {}, field('Code'))
    assert.deepEqual(did, ['search'])
  })

  test('a shortcut with Ctrl or ⌘ acts in a text field too, but not while the key is held down', () => {
    const did = renderShortcuts('palette')
    pressKey('k', { ctrlKey: true }, field('Note'))
    pressKey('k', { ctrlKey: true, repeat: true }, field('Note'))
    assert.deepEqual(did, ['palette'])
  })

  test('Enter on a focused button presses the button and does not open a ticket', () => {
    const did = renderShortcuts('openTicket')
    assert.equal(pressKey('Enter', {}, button('Open')), true)
    assert.deepEqual(did, [])
    pressKey('Enter')
    assert.deepEqual(did, ['openTicket'])
  })

  test('a shortcut does nothing while a dialog or menu with its own keys is open', () => {
    const did = renderShortcuts('search', 'palette')
    for (const role of ['dialog', 'alertdialog', 'menu', 'listbox']) {
      const layer = document.createElement('div')
      layer.setAttribute('role', role)
      document.body.append(layer)
      pressKey('/')
      pressKey('k', { ctrlKey: true })
      layer.remove()
    }
    assert.deepEqual(did, [])
  })

  test('a shortcut ignores a key that an element on the page has handled', () => {
    const did = renderShortcuts('search')
    button('Open').addEventListener('keydown', (event) => event.preventDefault())
    pressKey('/', {}, button('Open'))
    assert.deepEqual(did, [])
  })

  test('a disabled shortcut leaves its key to the browser', () => {
    const did: string[] = []
    const { rerender } = show(<Shortcut id="stop" onPress={() => did.push('stop')} enabled={false} />)
    assert.equal(pressKey('.', { ctrlKey: true }), true)
    rerender(<Shortcut id="stop" onPress={() => did.push('stop')} enabled />)
    assert.equal(pressKey('.', { ctrlKey: true }), false)
    assert.deepEqual(did, ['stop'])
  })

  test('a shortcut of a removed component does not act', () => {
    const did: string[] = []
    const { unmount } = show(<Shortcut id="search" onPress={() => did.push('search')} />)
    unmount()
    assert.equal(pressKey('/'), true)
    assert.deepEqual(did, [])
  })

  test("a shortcut calls its component's newest handler with the key event", () => {
    const did: unknown[] = []
    const { rerender } = show(<Shortcut id="nextTicket" onPress={() => did.push('old')} />)
    rerender(<Shortcut id="nextTicket" onPress={({ shiftKey }) => did.push(['new', shiftKey])} />)
    pressKey('J', { shiftKey: true })
    assert.deepEqual(did, [['new', true]])
  })

  test('a shortcut of a page takes precedence over the same shortcut of the layout, whichever was mounted first', () => {
    const did: string[] = []
    const page = <Shortcut key="page" id="up" onPress={() => did.push('page')} />
    const layout = <FallbackShortcut key="layout" id="up" onPress={() => did.push('layout')} />
    for (const order of [
      [page, layout],
      [layout, page],
    ]) {
      const { unmount } = show(<>{order}</>)
      pressKey('Escape')
      unmount()
    }
    const { unmount } = show(layout)
    pressKey('Escape')
    unmount()
    assert.deepEqual(did, ['page', 'page', 'layout'])
  })
})

describe('a shortcut of two keys', () => {
  /** Presses keys one after the other, each `afterMs` after the previous key. */
  function pressInTurn(...keys: [key: string, afterMs: number][]) {
    let at = 100_000
    for (const [key, afterMs] of keys) {
      at += afterMs
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
      Object.defineProperty(event, 'timeStamp', { value: at })
      fireEvent(document.body, event)
    }
  }

  test('G and then P opens the projects and does not also open the priority menu', () => {
    const did = renderShortcuts('goProjects', 'setPriority')
    pressInTurn(['g', 0], ['p', 300])
    assert.deepEqual(did, ['goProjects'])
  })

  test('P alone, and P after another key than G, opens the priority menu', () => {
    const did = renderShortcuts('goProjects', 'setPriority')
    pressInTurn(['p', 5000], ['x', 5000], ['p', 200])
    assert.deepEqual(did, ['setPriority', 'setPriority'])
  })

  test('typing G into a field does not begin a two-key shortcut', () => {
    const did = renderShortcuts('goProjects', 'setPriority')
    pressKey('g', {}, field('Note'))
    pressKey('p')
    assert.deepEqual(did, ['setPriority'])
  })
})

describe('the switch for shortcuts of one character', () => {
  test('switching off single-character shortcuts does not affect Escape, the arrow keys and Ctrl shortcuts', () => {
    const did = renderShortcuts('search', 'goProjects', 'up', 'nextTicket', 'palette')
    setSingleKeys(false)
    for (const key of ['/', 'g', 'p', 'j']) pressKey(key)
    assert.deepEqual(did, [])
    pressKey('Escape')
    pressKey('ArrowDown')
    pressKey('k', { ctrlKey: true })
    assert.deepEqual(did, ['up', 'nextTicket', 'palette'])
    setSingleKeys(true)
    pressKey('j')
    assert.deepEqual(did.at(-1), 'nextTicket')
  })
})

describe('a key event that is not a key press', () => {
  test('a `keydown` event without a key, as sent by form autofill, is ignored', () => {
    const did = renderShortcuts('search')
    // `dispatchEvent` throws the error of a failing listener here.
    field('Note').dispatchEvent(new Event('keydown', { bubbles: true, cancelable: true }))
    assert.deepEqual(did, [])
    pressKey('/')
    assert.deepEqual(did, ['search'])
  })
})
