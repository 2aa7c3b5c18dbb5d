import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useState } from 'react'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { button, field, isShown, press, show, untilSent, write } from '../../../testing/console.tsx'
import { type PickedRecord, Picker } from './picker.tsx'

const AUTHORS = [
  { id: 'a1', label: 'Ada' },
  { id: 'a2', label: 'Bo' },
]

interface PickerFormProps {
  search: (q: string) => PickedRecord[] | Promise<PickedRecord[]>
  error?: string | undefined
}

function PickerForm({ search, error }: PickerFormProps) {
  const [value, setValue] = useState<PickedRecord | null>(null)
  return (
    <form onSubmit={() => assert.fail('the form around it was sent')}>
      <Picker
        label="Author"
        hint="Who wrote it"
        error={error}
        value={value}
        find={(q) => ({ queryKey: ['authors', q], queryFn: async () => search(q), retry: false })}
        onChange={setValue}
      />
    </form>
  )
}
const findAuthors = (q: string) => AUTHORS.filter(({ label }) => label.toLowerCase().includes(q))

describe('a field whose value is found by a search', () => {
  test('a picker offers matching values, selects one and clears it again', async () => {
    show(<PickerForm search={findAuthors} />)
    await waitFor(() => assert.ok(isShown('Ada')))
    write('Author', 'bo')
    await waitFor(() => assert.ok(!isShown('Ada')))
    press('Bo')
    assert.equal(field('Author').textContent, 'Bo')
    assert.ok(screen.queryByRole('searchbox') === null)
    press('Remove Author')
    await waitFor(() => assert.ok(isShown('Ada')))
    assert.equal(field('Author').value, '')
  })

  test('choosing a value in a picker focuses the button that removes it, and removing the value focuses the search field', async () => {
    show(<PickerForm search={findAuthors} />)
    const option = await screen.findByRole('button', { name: 'Bo' })
    option.focus()
    press('Bo')
    assert.ok(document.activeElement === button('Remove Author'))
    press('Remove Author')
    assert.ok(document.activeElement === field('Author'))
  })

  test('a picker does not take the focus when its value changes without a press of the user', async () => {
    const picker = (value: PickedRecord | null) => (
      <Picker
        label="Author"
        hint=""
        error={undefined}
        value={value}
        find={() => ({ queryKey: ['authors'], queryFn: async () => AUTHORS })}
        onChange={() => {}}
      />
    )
    const { rerender } = show(picker(null))
    await screen.findByRole('button', { name: 'Bo' })
    rerender(picker({ id: 'a1', label: 'Ada' }))
    assert.ok(document.activeElement === document.body)
    rerender(picker(null))
    assert.ok(document.activeElement === document.body)
  })

  test('Enter in the search field of a picker does not submit the surrounding form', async () => {
    show(<PickerForm search={findAuthors} />)
    await waitFor(() => assert.ok(isShown('Ada')))
    assert.equal(fireEvent.keyDown(field('Author'), { key: 'Enter' }), false)
    assert.equal(fireEvent.keyDown(field('Author'), { key: 'a' }), true)
  })

  test('a picker searches for at most the first 200 characters, and never for half of a character', async () => {
    const asked: string[] = []
    const search = (q: string) => {
      asked.push(q)
      return []
    }
    show(<PickerForm search={search} />)
    write('Author', ` ${'x'.repeat(199)}🌱 and more`)
    await waitFor(() => assert.equal(asked.at(-1), 'x'.repeat(199)))
  })

  test('a picker shows that a search has no results or has failed', async () => {
    show(
      <PickerForm
        search={(q) => {
          if (q === 'x') throw new Error('down')
          return []
        }}
      />,
    )
    await waitFor(() => assert.ok(isShown('Nothing found')))
    write('Author', 'x')
    await waitFor(() => assert.ok(isShown('The search failed.')))
    assert.equal(field('Author').value, 'x')
  })

  test('the message that a picker found nothing disappears while the next search runs', async () => {
    const late = Promise.withResolvers<PickedRecord[]>()
    show(<PickerForm search={(q) => (q === 'bo' ? late.promise : [])} />)
    await waitFor(() => assert.ok(isShown('Nothing found')))
    write('Author', 'bo')
    await untilSent()
    assert.equal(isShown('Nothing found'), false)
    late.resolve([{ id: 'a2', label: 'Bo' }])
    await waitFor(() => assert.ok(isShown('Bo')))
  })

  test('the error of a picker replaces its hint and is the accessible description of its field', () => {
    show(<PickerForm search={findAuthors} error="Choose an author." />)
    const box = field('Author')
    assert.equal(box.getAttribute('aria-invalid'), 'true')
    const note = document.getElementById(box.getAttribute('aria-describedby') ?? '')
    assert.equal(note?.textContent, 'Choose an author.')
    assert.ok(!isShown('Who wrote it'))
  })
})
