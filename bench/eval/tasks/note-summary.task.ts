import { listPage, scriptApp } from '../answers.ts'
import { control, expectText } from '../steps.ts'
import type { Task } from '../task.ts'

const NOTES_PAGE = `import { ai, Button, Notice, Page, TextArea, useAction } from '@slipway/app/react'
import { useState } from 'react'

export default function Notes() {
  const [note, setNote] = useState('')
  const [summary, setSummary] = useState('')
  const [isEmpty, setEmpty] = useState(false)
  const ask = useAction(async () => {
    setEmpty(note.trim() === '')
    if (note.trim() !== '') setSummary((await ai.task('summarize', note)).text)
  })
  return (
    <Page title="Notes">
      <TextArea label="Note" value={note} onChange={setNote} />
      <Button busy={ask.busy} onClick={() => void ask.run()}>Summarize</Button>
      {isEmpty && <Notice>Write a note first.</Notice>}
      {ask.problem !== null && <Notice>{ask.problem.text}</Notice>}
      {summary !== '' && (
        <section aria-label="Summary">
          <h2>Summary</h2>
          <p>{summary}</p>
        </section>
      )}
    </Page>
  )
}
`

export const task: Task = {
  name: 'note-summary',
  about: 'a language model behind a button',
  requires: ['free-form'],
  tickets: [
    {
      title: 'Summarize a note',
      body: 'One text area "Note" and a button "Summarize". A language model summarizes the note in one sentence, and the page shows it under the heading "Summary", which is not there before. An empty note is refused with "Write a note first." Anyone may use it, without an account.',
      script: scriptApp({
        name: 'Notes',
        uses: ['ai'],
        pages: [{ ...listPage('Notes', ''), source: NOTES_PAGE }],
        manifest: {
          ai: [{ task: 'summarize', system: 'Summarize the note in one sentence.', access: 'public' }],
        },
      }),
      checks: [
        {
          name: 'a note gets a summary',
          run: async (page) => {
            await control(page, /note/i).fill('The ferry is late because of the fog. It leaves at nine.')
            await page.getByRole('button', { name: /summarize/i }).click()
            await page.getByRole('heading', { name: /summary/i }).waitFor()
          },
        },
        {
          name: 'an empty note is refused',
          run: async (page) => {
            await page.getByRole('button', { name: /summarize/i }).click()
            await expectText(page, /write a note first/i)
          },
        },
      ],
    },
  ],
}
