import { listPage, scriptApp } from '../answers.ts'
import { control, expectText, expectNoText, sendForm, signIn } from '../steps.ts'
import type { Task } from '../task.ts'

const REMINDERS_PAGE = `import { Button, Notice, Page, TextField, timers, useAction } from '@slipway/app/react'
import { useEffect, useState } from 'react'

export default function Reminders() {
  const [about, setAbout] = useState('')
  const [waiting, setWaiting] = useState<{ id: string; at: string | Date }[]>([])
  const load = async () => setWaiting(await timers.list())
  const add = useAction(async () => {
    await timers.set(new Date(Date.now() + 86_400_000), 'remind', { about })
    setAbout('')
    await load()
  })
  useEffect(() => {
    void timers.list().then(setWaiting)
  }, [])
  return (
    <Page title="Reminders">
      <form className="form" noValidate onSubmit={add.onSubmit}>
        <TextField label="About" value={about} onChange={setAbout} />
        <Button type="submit">Add</Button>
      </form>
      {add.problem !== null && <Notice>{add.problem.text}</Notice>}
      <p>{waiting.length} waiting</p>
      <ul>
        {waiting.map(({ id }, i) => (
          <li key={id}>
            <Button onClick={() => void timers.cancel(id).then(load)}>{\`Cancel reminder \${i + 1}\`}</Button>
          </li>
        ))}
      </ul>
    </Page>
  )
}
`
const REMIND_JOB = `import { data, type JobHandler } from '@slipway/app/server'

const remind: JobHandler = async (job) => {
  const { about } = job as { about: string }
  await data.system.create('reminded', { about })
}
export default remind
`

export const task: Task = {
  name: 'reminders',
  about: 'work at a later time, for each person',
  requires: ['free-form'],
  tickets: [
    {
      title: 'Remind me tomorrow',
      body: 'People who are signed in type what a reminder is about ("About") and press "Add": in 24 hours the app stores a record of it. The page says how many are waiting ("1 waiting"), also after a reload, and each has a button "Cancel reminder 1", "Cancel reminder 2" and so on. People do not see those of others.',
      script: scriptApp({
        name: 'Reminders',
        uses: ['auth', 'data', 'schedule'],
        pages: [{ ...listPage('Reminders', ''), access: 'members', source: REMINDERS_PAGE }],
        collections: {
          reminded: {
            partition: 'app',
            read: 'staff',
            write: 'nobody',
            fields: { about: { type: 'text' } },
          },
        },
        files: { 'server/jobs/remind.ts': REMIND_JOB },
      }),
      checks: [
        {
          name: 'a reminder waits, also after a reload, until it is cancelled',
          run: async (page) => {
            await signIn(page, 'Ada')
            await control(page, /about/i).fill('Water the plants')
            await sendForm(page)
            await expectText(page, /\b1 waiting\b/)
            await page.reload()
            await expectText(page, /\b1 waiting\b/)
            await page.getByRole('button', { name: 'Cancel reminder 1' }).click()
            await expectText(page, /\b0 waiting\b/)
          },
        },
        {
          name: 'another person has none',
          run: async (page) => {
            await signIn(page, 'Ben')
            await expectText(page, /\b0 waiting\b/)
            await expectNoText(page, /Cancel reminder/)
          },
        },
      ],
    },
  ],
}
