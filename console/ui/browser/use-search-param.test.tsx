import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { act } from '@testing-library/react'
import { field, show, write } from '../../testing/console.tsx'
import { useSearchParam } from './use-search-param.ts'

const PAUSE_MS = 250

function Search(props: { told: string; tell: (words: string) => void; fit?: (words: string) => string }) {
  const [words, setWords] = useSearchParam(props.told, props.tell, props.fit)
  return <input aria-label="Search" value={words} onChange={(event) => setWords(event.target.value)} />
}

/** Shows a search field with this URL parameter. `navigate` changes the parameter, as a navigation does. */
function renderSearch(first = '', fit?: (words: string) => string) {
  const told: string[] = []
  const search = (value: string) => (
    <Search told={value} tell={(words) => told.push(words)} {...(fit && { fit })} />
  )
  const { rerender, unmount } = show(search(first))
  return { told, unmount, navigate: (value: string) => rerender(search(value)) }
}
const shown = () => field('Search').value
const pause = (ms = PAUSE_MS) => act(() => mock.timers.tick(ms))

describe('a search field whose text is in the URL', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  test('the text of a search field is trimmed and written to the URL once the typing pauses', () => {
    const { told } = renderSearch()
    for (const words of [' p', ' pl', ' pla ']) {
      write('Search', words)
      pause(PAUSE_MS - 1)
    }
    assert.deepEqual(told, [])
    pause(1)
    assert.deepEqual(told, ['pla'])
    assert.equal(shown(), ' pla ', 'the field keeps the space for the next word')
  })

  test('emptying a search field removes the text from the URL', () => {
    const { told } = renderSearch('plants')
    write('Search', '')
    pause()
    assert.deepEqual(told, [''])
  })

  test('a search text that is changed back to the text in the URL is not written, so that there is no needless navigation', () => {
    const { told } = renderSearch('plants')
    write('Search', 'plant')
    write('Search', 'plants')
    write('Search', 'plants ')
    pause()
    assert.deepEqual(told, [])
  })

  test('the back button replaces the text of a search field with that of the URL', () => {
    const { told, navigate } = renderSearch('plants')
    write('Search', 'plants in pots')
    pause()
    navigate('plants in pots')
    navigate('plants')
    assert.equal(shown(), 'plants')
    navigate('plants in pots')
    assert.equal(shown(), 'plants in pots')
    pause()
    assert.deepEqual(told, ['plants in pots'], 'a navigation is not written back')
  })

  test('a search text that is typed while the URL is being updated stays in its field', () => {
    const { told, navigate } = renderSearch()
    write('Search', 'pla')
    pause()
    write('Search', 'plants')
    navigate('pla')
    assert.equal(shown(), 'plants')
    pause()
    assert.deepEqual(told, ['pla', 'plants'])
  })

  test('a navigation while the user types a search replaces the text of the field, and the typed text is not written later', () => {
    const { told, navigate } = renderSearch('plants')
    write('Search', 'pots')
    navigate('')
    assert.equal(shown(), '')
    pause()
    assert.deepEqual(told, [])
  })

  test('a search field that is removed while the user types does not change the URL of the next page', () => {
    const { told, unmount } = renderSearch()
    write('Search', 'plants')
    unmount()
    pause()
    assert.deepEqual(told, [])
  })

  test('a search text that is too long stays in its field, and the part of it that can be searched is written to the URL once', () => {
    const { told } = renderSearch('', (words) => words.slice(0, 5))
    write('Search', 'plants')
    pause()
    write('Search', 'plants in pots')
    pause()
    assert.deepEqual(told, ['plant'])
    assert.equal(shown(), 'plants in pots')
  })
})
