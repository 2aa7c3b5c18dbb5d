import { finish, listPage, openCollection, scriptApp, TEXT_FIELD } from '../answers.ts'
import { addRecord, control, expectText } from '../steps.ts'
import type { Task } from '../task.ts'

export const task: Task = {
  name: 'bug-list',
  about: 'a choice of states, and finding by text',
  tickets: [
    {
      title: 'Track bugs with title and status (open, waiting, closed)',
      script: scriptApp({
        name: 'Bugs',
        uses: ['data'],
        pages: [listPage('Bugs', 'bugs')],
        collections: {
          bugs: openCollection('Bugs', {
            title: TEXT_FIELD,
            status: { type: 'enum', values: ['open', 'waiting', 'closed'] },
          }),
        },
      }),
      checks: [
        {
          name: 'the status is a choice of the three words',
          run: async (page) => {
            await addRecord(page, [
              [/title/i, 'Door sticks'],
              [/status/i, 'waiting'],
            ])
            await expectText(page, 'Door sticks')
            await expectText(page, 'waiting')
          },
        },
        {
          name: 'searching hides what does not match',
          run: async (page) => {
            await addRecord(page, [
              [/title/i, 'Lamp flickers'],
              [/status/i, 'open'],
            ])
            await expectText(page, 'Lamp flickers')
            // Wait until the dialog is closed, because elements behind an open dialog accept no input.
            await page.getByRole('dialog').waitFor({ state: 'hidden' })
            await control(page, /search|find|filter/i).fill('lamp')
            await page.getByText('Door sticks').first().waitFor({ state: 'hidden' })
            await expectText(page, 'Lamp flickers')
          },
        },
      ],
    },
    {
      title: 'Can I change the status later?',
      outcome: 'replied',
      script: [finish('Yes: press Edit beside the bug.')],
      checks: [{ name: 'a question changes nothing', run: (page) => expectText(page, 'Lamp flickers') }],
    },
  ],
}
