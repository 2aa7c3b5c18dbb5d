import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, press, render, screen } from '../testing/kit.test.fixture.tsx'
import { Gallery } from './gallery.tsx'

const imageOf = (key: string, title?: string) => ({ key, src: `/${key}.jpg`, alt: `A ${key}`, title })
const OAK = imageOf('oak', 'Oak')
const ELM = imageOf('elm')
const ASH = imageOf('ash', 'Ash')

/** Presses a key on the button "Next picture" of the open dialog, or without a dialog on the last picture. */
const strike = (key: string) => {
  const [first] = screen.getAllByRole('button', { name: /^Next picture$|^A / }).toReversed()
  fireEvent.keyDown(first ?? document.body, { key })
}
/** The title, the picture and the position in the open dialog; null when none is open. */
const enlarged = () => {
  const dialog = screen.queryByRole('dialog')
  return dialog === null
    ? null
    : [
        dialog.querySelector('h2')?.textContent,
        dialog.querySelector('img')?.getAttribute('src'),
        dialog.querySelector('[aria-live]')?.textContent,
      ]
}

describe('a gallery of pictures', () => {
  test('each picture of a gallery is a button with its description, title and note', () => {
    render(<Gallery label="Trees" images={[{ ...OAK, note: 'By Ada' }, ELM]} />)
    assert.deepEqual(
      screen
        .getAllByRole('listitem')
        .map((item) => [
          item.querySelector('button img')?.getAttribute('alt'),
          item.querySelector('button img')?.getAttribute('src'),
          item.textContent,
        ]),
      [
        ['A oak', '/oak.jpg', 'OakBy Ada'],
        ['A elm', '/elm.jpg', ''],
      ],
    )
    assert.equal(enlarged(), null)
  })

  test('a click enlarges a gallery picture, and buttons and arrow keys move to the next or previous one, wrapping around', () => {
    render(<Gallery label="Trees" images={[OAK, ELM, ASH]} />)
    press(/A ash/)
    assert.deepEqual(enlarged(), ['Ash', '/ash.jpg', '3 of 3'])
    press('Next picture')
    assert.deepEqual(enlarged(), ['Oak', '/oak.jpg', '1 of 3'])
    press('Previous picture')
    strike('ArrowLeft')
    assert.deepEqual(enlarged(), ['A elm', '/elm.jpg', '2 of 3'])
    strike('ArrowRight')
    strike('Enter')
    assert.deepEqual(enlarged(), ['Ash', '/ash.jpg', '3 of 3'])
    press('Close')
    strike('ArrowRight')
    assert.equal(enlarged(), null)
  })

  test('an enlarged picture stays open when other pictures are added or removed, and closes when that picture is removed', () => {
    const { rerender } = render(<Gallery label="Trees" images={[OAK, ELM]} />)
    press(/A elm/)
    rerender(<Gallery label="Trees" images={[ASH, OAK, ELM]} />)
    assert.deepEqual(enlarged(), ['A elm', '/elm.jpg', '3 of 3'])
    rerender(<Gallery label="Trees" images={[ASH]} />)
    assert.equal(enlarged(), null)
    rerender(<Gallery label="Trees" images={[]} />)
    assert.equal(enlarged(), null)
  })
})
