import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { act, fireEvent, screen } from '@testing-library/react'
import { singleKeysEnabled } from '../../shell/keys/single-keys.ts'
import { chooseTheme } from '../../shell/theme.ts'
import { show } from '../../testing/console.tsx'
import { withBlockedStorage } from '../../testing/storage.ts'
import { Appearance } from './appearance.tsx'

const themes = () =>
  screen.getAllByRole<HTMLInputElement>('radio').flatMap(({ value, checked }) => (checked ? [value] : []))
const choose = (value: string) =>
  fireEvent.click(
    screen.getAllByRole<HTMLInputElement>('radio').find((one) => one.value === value) ?? document.body,
  )
const mode = () => document.documentElement.dataset['mode']
const letters = () => screen.getByRole<HTMLInputElement>('checkbox')

describe('the appearance of the console in this browser', () => {
  let isDark = false
  beforeEach(() => {
    isDark = true
    mock.method(globalThis, 'matchMedia', () => ({ matches: isDark, addEventListener() {} }))
  })
  afterEach(() => {
    mock.restoreAll()
    delete document.documentElement.dataset['mode']
  })

  test('the theme of the system is selected at first, and a chosen theme is applied and stored at once', () => {
    const { unmount } = show(<Appearance />)
    assert.deepEqual(themes(), ['system'])
    choose('light')
    assert.deepEqual([themes(), mode()], [['light'], 'light'])
    choose('system')
    assert.deepEqual([themes(), mode()], [['system'], 'dark'])
    choose('dark')
    unmount()
    show(<Appearance />)
    assert.deepEqual(themes(), ['dark'])
  })

  test('a theme that is chosen in the account menu is also selected in the appearance settings, even when the page looks the same', async () => {
    show(<Appearance />)
    await act(async () => chooseTheme('light'))
    assert.deepEqual(themes(), ['light'])
    await act(async () => chooseTheme('system'))
    assert.deepEqual(themes(), ['system'])
    await act(async () => chooseTheme('dark'))
    assert.deepEqual([themes(), mode()], [['dark'], 'dark'])
  })

  test('single-letter shortcuts can be switched off and on again in the appearance settings', () => {
    show(<Appearance />)
    assert.deepEqual([letters().checked, singleKeysEnabled()], [true, true])
    fireEvent.click(letters())
    assert.deepEqual([letters().checked, singleKeysEnabled()], [false, false])
    fireEvent.click(letters())
    assert.deepEqual([letters().checked, singleKeysEnabled()], [true, true])
  })

  test('when storage is blocked, a chosen theme and switched-off shortcuts still apply to the open page', async () => {
    await withBlockedStorage(async () => {
      show(<Appearance />)
      await act(async () => choose('light'))
      assert.deepEqual([themes(), mode()], [['light'], 'light'])
      // The page cannot read a choice back, so the second choice must not fall back to the first choice.
      await act(async () => choose('dark'))
      assert.deepEqual([themes(), mode()], [['dark'], 'dark'])
      fireEvent.click(letters())
      assert.deepEqual([letters().checked, singleKeysEnabled()], [false, false])
      fireEvent.click(letters())
      assert.deepEqual([letters().checked, singleKeysEnabled()], [true, true])
    })
  })
})
