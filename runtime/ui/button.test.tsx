import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { press, render, screen } from '../testing/kit.test.fixture.tsx'
import { Button, LinkButton } from './button.tsx'

describe('a button of an app', () => {
  test('a busy button is announced as busy, keeps the focus and ignores clicks', () => {
    let presses = 0
    render(
      <Button busy onClick={() => (presses += 1)}>
        Add plant
      </Button>,
    )
    const button = screen.getByRole('button', { name: 'Add plant' })
    button.focus()
    press('Add plant')
    assert.equal(presses, 0)
    assert.equal(button.getAttribute('aria-busy'), 'true')
    assert.equal(button.getAttribute('aria-disabled'), 'true')
    assert.ok(document.activeElement === button)
  })

  test('a busy submit button does not send its form again', () => {
    let sent = 0
    render(
      <form
        onSubmit={(event) => {
          event.preventDefault()
          sent += 1
        }}
      >
        <Button type="submit" busy>
          Save
        </Button>
      </form>,
    )
    press('Save')
    assert.equal(sent, 0)
  })

  test('a button inside a form submits it only if its type is "submit"', () => {
    let sent = 0
    let acted = 0
    render(
      <form
        onSubmit={(event) => {
          event.preventDefault()
          sent += 1
        }}
      >
        <Button onClick={() => (acted += 1)}>Cancel</Button>
        <Button type="submit">Save</Button>
      </form>,
    )
    press('Cancel')
    assert.deepEqual([acted, sent], [1, 0])
    press('Save')
    assert.deepEqual([acted, sent], [1, 1])
  })

  test("a form's submit button has the primary style by default, and any style can be chosen", () => {
    render(
      <>
        <Button type="submit">Save</Button>
        <Button>Cancel</Button>
        <Button kind="danger" size="small" className="own">
          Delete
        </Button>
      </>,
    )
    const classes = (name: string) => screen.getByRole('button', { name }).className
    assert.equal(classes('Save'), 'button button-primary')
    assert.equal(classes('Cancel'), 'button button-plain')
    assert.equal(classes('Delete'), 'button button-danger button-small own')
  })

  test('a link that is styled as a button stays a link with its URL', () => {
    render(<LinkButton to="/plants">All plants</LinkButton>)
    assert.equal(screen.getByRole('link', { name: 'All plants' }).getAttribute('href'), '/plants')
  })
})
