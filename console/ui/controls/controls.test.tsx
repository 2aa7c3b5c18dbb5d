import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { button, field, isShown, isThere, press, show, write } from '../../testing/console.tsx'
import { Button } from './button.tsx'
import { ChoiceMenu } from './choice-menu.tsx'
import { FormFooter } from './form-footer.tsx'
import { IconButton } from './icon-button.tsx'
import { NativeSelect } from './native-select.tsx'
import { PillChoice } from './pill-choice.tsx'
import { ReasonButton } from './reason-button.tsx'
import { SegmentedChoice } from './segmented-choice.tsx'
import { TextArea } from './text-area.tsx'
import { TextField } from './text-field.tsx'

/** What a screen reader reads after the name of an element. */
const descriptionOf = (element: Element) =>
  document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent ?? null
const OPTIONS = [
  { value: 'list', label: 'List' },
  { value: 'board', label: 'Board' },
] as const

/** Shows a form with this button. Returns a list of the form submissions and button presses. */
function renderForm(Part: (props: { onClick: () => void }) => React.ReactNode) {
  const did: string[] = []
  show(
    <form
      onSubmit={(event) => {
        event.preventDefault()
        did.push('sent')
      }}
    >
      <input aria-label="Name" />
      <Part onClick={() => did.push('pressed')} />
    </form>,
  )
  return did
}

describe('a button', () => {
  test('a button that waits for a response keeps the focus and ignores presses, and its form is not submitted', () => {
    const did = renderForm(({ onClick }) => (
      <Button type="submit" loading onClick={onClick}>
        Save
      </Button>
    ))
    const save = button(/Save/)
    act(() => save.focus())
    fireEvent.click(save)
    assert.ok(document.activeElement === save)
    assert.deepEqual(did, [])
    assert.deepEqual([save.getAttribute('aria-disabled'), save.getAttribute('aria-busy')], ['true', 'true'])
    assert.equal((save as HTMLButtonElement).disabled, false)
  })

  test('a button that is disabled for a reason can be focused, has the reason as its description and does nothing', () => {
    const did = renderForm(({ onClick }) => (
      <ReasonButton type="submit" reason="Choose a ticket first" onClick={onClick}>
        Build
      </ReasonButton>
    ))
    press('Build')
    assert.deepEqual(did, [])
    assert.equal(button('Build').getAttribute('aria-description'), 'Choose a ticket first')
    assert.equal((button('Build') as HTMLButtonElement).disabled, false)
  })

  test('a button that has no reason to be disabled acts when it is pressed', () => {
    const did = renderForm(({ onClick }) => (
      <ReasonButton type="submit" reason={null} onClick={onClick}>
        Build
      </ReasonButton>
    ))
    press('Build')
    assert.deepEqual(did, ['pressed', 'sent'])
  })

  test('a button keeps the focus when the reason that disables it appears, and when it is gone again', () => {
    function Page() {
      const [name, setName] = useState('')
      return (
        <>
          <input aria-label="Name" value={name} onChange={(event) => setName(event.target.value)} />
          <ReasonButton reason={name === '' ? 'Enter a name first' : null}>Build</ReasonButton>
        </>
      )
    }
    show(<Page />)
    act(() => button('Build').focus())
    for (const name of ['Plants', '']) {
      write('Name', name)
      assert.ok(document.activeElement === button('Build'), name)
    }
    assert.equal(button('Build').getAttribute('aria-description'), 'Enter a name first')
  })

  test('an icon button has a name, does not submit the form around it, and says whether it is pressed', () => {
    const did = renderForm(({ onClick }) => (
      <IconButton label="Attach a file" icon={<svg />} onClick={onClick} aria-pressed />
    ))
    press('Attach a file')
    assert.deepEqual(did, ['pressed'])
    assert.equal(button('Attach a file').getAttribute('aria-pressed'), 'true')
  })

  test('“Cancel” closes a form without submitting it, even while the form is being sent', () => {
    for (const busy of [false, true]) {
      const did = renderForm(({ onClick }) => <FormFooter submit="Create" busy={busy} onClose={onClick} />)
      press('Cancel')
      assert.deepEqual(did, ['pressed'])
      press(/Create/)
      assert.deepEqual(did, busy ? ['pressed'] : ['pressed', 'sent'])
      cleanup()
    }
  })
})

describe('a text field', () => {
  const fields = [
    { name: 'a field of one line', Field: TextField },
    { name: 'a field of several lines', Field: TextArea },
  ] as const
  for (const { name, Field } of fields) {
    test(`${name} is found by its label, and screen readers read its hint with it`, () => {
      show(<Field label="Name" description="At most 80 characters." />)
      assert.equal(descriptionOf(field('Name')), 'At most 80 characters.')
      assert.equal(field('Name').getAttribute('aria-invalid'), 'false')
    })

    test(`${name} with an error is marked as invalid, and screen readers read the error instead of the hint`, () => {
      show(<Field label="Name" description="At most 80 characters." error="Enter a name." />)
      assert.equal(descriptionOf(field('Name')), 'Enter a name.')
      assert.equal(field('Name').getAttribute('aria-invalid'), 'true')
      assert.ok(!isShown('At most 80 characters.'))
    })

    test(`two fields with the same label have separate hints when each is ${name}`, () => {
      show(
        <>
          <Field label="Name" description="First" />
          <Field label="Name" description="Second" />
        </>,
      )
      assert.deepEqual(screen.getAllByLabelText('Name').map(descriptionOf), ['First', 'Second'])
    })
  }
})

describe('a choice of a few values', () => {
  test('a select is found by its label, even when the label is hidden, and reports the chosen value', () => {
    const chosen: string[] = []
    show(
      <NativeSelect
        label="View"
        hideLabel
        value="list"
        options={[...OPTIONS]}
        onChange={(value) => chosen.push(value)}
      />,
    )
    assert.equal(field('View').value, 'list')
    write('View', 'board')
    assert.deepEqual(chosen, ['board'])
  })

  test('pill buttons are a labelled group of radio buttons, and a click on the text of a pill selects it', () => {
    const chosen: string[] = []
    show(
      <PillChoice
        label="View"
        value="list"
        options={[...OPTIONS]}
        onChange={(value) => chosen.push(value)}
      />,
    )
    assert.ok(isThere('group', 'View'))
    assert.equal(screen.getByRole<HTMLInputElement>('radio', { name: 'List' }).checked, true)
    fireEvent.click(screen.getByText('Board'))
    assert.deepEqual(chosen, ['board'])
  })

  test('two groups of pill buttons on one page are independent of each other', () => {
    show(
      <>
        <PillChoice label="First" value="list" options={[...OPTIONS]} onChange={() => {}} />
        <PillChoice label="Second" value="board" options={[...OPTIONS]} onChange={() => {}} />
      </>,
    )
    const names = screen.getAllByRole<HTMLInputElement>('radio').map(({ name }) => name)
    assert.equal(new Set(names).size, 2)
  })

  test('a segmented control marks the selected segment as pressed, and does not submit the form around it', () => {
    const chosen: string[] = []
    const did = renderForm(() => (
      <SegmentedChoice label="View" value="list" options={OPTIONS} onChange={(value) => chosen.push(value)} />
    ))
    assert.deepEqual(
      ['List', 'Board'].map((name) => button(name).getAttribute('aria-pressed')),
      ['true', 'false'],
    )
    press('Board')
    assert.deepEqual([chosen, did], [['board'], []])
  })
})

describe('a menu of values', () => {
  /** Opens the menu from a button, as a status button does. */
  function openMenu(value: 'list' | 'board' | null = 'list') {
    const did: string[] = []
    function Page() {
      const [anchor, setAnchor] = useState<HTMLElement | null>(null)
      return (
        <>
          <button type="button" onClick={(event) => setAnchor(event.currentTarget)}>
            Open
          </button>
          {anchor && (
            <ChoiceMenu
              label="View"
              anchor={anchor}
              choices={[...OPTIONS]}
              value={value}
              onChoose={(chosen) => did.push(chosen)}
              onClose={() => {
                did.push('closed')
                setAnchor(null)
              }}
            />
          )}
        </>
      )
    }
    show(<Page />)
    act(() => button('Open').focus())
    press('Open')
    return did
  }
  const checked = () =>
    screen
      .getAllByRole('menuitemradio')
      .filter((item) => item.getAttribute('aria-checked') === 'true')
      .map((item) => item.textContent)

  test('a value menu marks the current value, and none when the selected items have different values', async () => {
    openMenu('board')
    await screen.findByRole('menu', { name: 'View' })
    assert.deepEqual(checked(), ['Board'])
    cleanup()
    openMenu(null)
    await screen.findByRole('menu', { name: 'View' })
    assert.deepEqual(checked(), [])
  })

  test("choosing a value in a menu reports it once, closes the menu and returns the focus to the menu's button", async () => {
    const did = openMenu()
    fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Board' }))
    await waitFor(() => assert.deepEqual(did, ['board', 'closed']))
    await waitFor(() => assert.ok(document.activeElement === button('Open')))
  })

  test('Escape closes a value menu without choosing a value', async () => {
    const did = openMenu()
    fireEvent.keyDown(await screen.findByRole('menu', { name: 'View' }), { key: 'Escape' })
    await waitFor(() => assert.deepEqual(did, ['closed']))
  })
})
