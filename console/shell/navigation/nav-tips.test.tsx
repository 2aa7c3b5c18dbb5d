import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { act, fireEvent, screen } from '@testing-library/react'
import { show } from '../../testing/console.tsx'
import { NavTips } from './nav-tips.tsx'

const DELAY_MS = 400

/** Shows two icon links and a text in the navigation, and a button outside the navigation. */
function renderTips(isFolded = true) {
  const navigation = (folded: boolean) => (
    <>
      <NavTips label="Main" isFolded={folded}>
        <a href="/projects" data-tip="Projects">
          <svg aria-hidden="true" />
        </a>
        <a href="/activity" data-tip="Activity">
          <svg aria-hidden="true" />
        </a>
        <p>Recent</p>
      </NavTips>
      <button type="button">Outside</button>
    </>
  )
  const { rerender, unmount } = show(navigation(isFolded))
  return { fold: (folded: boolean) => rerender(navigation(folded)), unmount }
}
const link = (name: string) => document.querySelector<HTMLElement>(`[data-tip=${name}]`) as HTMLElement
const tip = () => document.querySelector('[role=tooltip]')?.textContent ?? null
const passTime = (ms: number) => act(() => mock.timers.tick(ms))
const hover = (element: Element, pointerType = 'mouse') => fireEvent.pointerOver(element, { pointerType })
/** Presses Escape and returns whether the key reached the page. */
function pressEscape(): boolean {
  let isSeen = false
  const see = () => (isSeen = true)
  window.addEventListener('keydown', see)
  fireEvent.keyDown(document.body, { key: 'Escape' })
  window.removeEventListener('keydown', see)
  return isSeen
}

describe('the names of the links in the folded navigation', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  test('a link in the folded navigation shows its name when the pointer rests on it, but not when the pointer only passes', () => {
    renderTips()
    hover(link('Projects'))
    passTime(DELAY_MS - 1)
    assert.equal(tip(), null)
    fireEvent.pointerLeave(screen.getByRole('navigation'))
    passTime(DELAY_MS)
    assert.equal(tip(), null)
    hover(link('Projects').firstElementChild ?? link('Projects'))
    passTime(DELAY_MS)
    assert.equal(tip(), 'Projects')
  })

  test('while the name of a navigation link is shown, the name of the next link replaces it without a delay', () => {
    renderTips()
    hover(link('Projects'))
    passTime(DELAY_MS)
    hover(link('Activity'))
    passTime(0)
    assert.equal(tip(), 'Activity')
  })

  test('the shown name of a navigation link stays while the pointer is on it, and disappears when the pointer leaves it', () => {
    renderTips()
    hover(link('Projects'))
    passTime(DELAY_MS)
    hover(document.querySelector('[role=tooltip] p') as Element)
    assert.equal(tip(), 'Projects')
    hover(screen.getByText('Recent'))
    assert.equal(tip(), null)
  })

  test('a click on a navigation link hides its name, so that the name does not cover the next page', () => {
    renderTips()
    hover(link('Projects'))
    passTime(DELAY_MS)
    link('Projects').addEventListener('click', (event) => event.preventDefault())
    fireEvent.click(link('Projects'))
    assert.equal(tip(), null)
  })

  test('after a click on a navigation link, its name is not shown', () => {
    renderTips()
    hover(link('Projects'))
    link('Projects').addEventListener('click', (event) => event.preventDefault())
    fireEvent.click(link('Projects'))
    passTime(DELAY_MS)
    assert.equal(tip(), null)
  })

  test('no link name pops up in the open navigation or on touch', () => {
    const { fold } = renderTips(false)
    hover(link('Projects'))
    passTime(DELAY_MS)
    assert.equal(tip(), null)
    fold(true)
    hover(link('Projects'), 'touch')
    passTime(DELAY_MS)
    assert.equal(tip(), null)
  })

  test('the first Escape only hides the name of a navigation link, and the next Escape reaches the page', () => {
    renderTips()
    hover(link('Projects'))
    passTime(DELAY_MS)
    assert.equal(pressEscape(), false)
    assert.equal(tip(), null)
    assert.equal(pressEscape(), true)
  })

  test('unfolding the navigation hides the shown link name, so that Escape reaches the page', () => {
    const { fold } = renderTips()
    hover(link('Projects'))
    passTime(DELAY_MS)
    fold(false)
    assert.equal(tip(), null)
    assert.equal(pressEscape(), true)
  })

  test('the name of a navigation link that unfolding has hidden stays hidden when the navigation is folded again', () => {
    const { fold } = renderTips()
    hover(link('Projects'))
    passTime(DELAY_MS)
    fold(false)
    fold(true)
    assert.equal(tip(), null)
  })

  test('the shown name of a navigation link is hidden from screen readers, which read the link itself', () => {
    renderTips()
    hover(link('Projects'))
    passTime(DELAY_MS)
    assert.equal(document.querySelector('[role=tooltip]')?.getAttribute('aria-hidden'), 'true')
  })

  test('a navigation that is removed while the pointer rests on a link shows no link name later', () => {
    const { unmount } = renderTips()
    hover(link('Projects'))
    unmount()
    passTime(DELAY_MS)
    assert.equal(tip(), null)
    assert.equal(pressEscape(), true)
  })
})
