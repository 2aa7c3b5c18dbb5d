import { listPage, scriptApp, TEXT_FIELD } from '../answers.ts'
import { addRecord, asPerson, expectText, expectNoText, signIn } from '../steps.ts'
import type { Task } from '../task.ts'

export const task: Task = {
  name: 'diary',
  about: "each person's own records",
  requires: ['free-form'],
  tickets: [
    {
      title: 'A private diary',
      body: 'People sign in. Each person writes entries with a title and sees only their own; no one else does, staff aside.',
      script: scriptApp({
        name: 'Diary',
        uses: ['auth', 'data'],
        pages: [{ ...listPage('Diary', 'entries'), access: 'members' }],
        collections: { entries: { partition: 'user', fields: { title: TEXT_FIELD } } },
      }),
      checks: [
        { name: 'a visitor has to sign in', run: (page) => expectText(page, /sign in/i) },
        {
          name: 'what a person writes is there for them, and not for another',
          run: async (page) => {
            await signIn(page, 'Ada')
            await addRecord(page, [[/title/i, 'A quiet day']])
            await expectText(page, 'A quiet day')
            await asPerson(page, 'Ben', async (ben) => {
              await addRecord(ben, [[/title/i, 'A loud day']])
              await expectText(ben, 'A loud day')
              await expectNoText(ben, 'A quiet day')
            })
          },
        },
      ],
    },
  ],
}
