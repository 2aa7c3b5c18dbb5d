import { addRecord, control, sees, seesNot } from '../steps.ts'
import type { Task } from '../task.ts'

export const task: Task = {
  name: 'bug-list',
  about: 'a choice of states, and finding by text',
  tickets: [
    {
      title: 'Track bugs with title and status (open, waiting, closed)',
      checks: [
        {
          name: 'the status is a choice of the three words',
          run: async (page) => {
            await addRecord(page, [
              [/title/i, 'Door sticks'],
              [/status/i, 'waiting'],
            ])
            await sees(page, 'Door sticks')
            await sees(page, 'waiting')
          },
        },
        {
          name: 'searching hides what does not match',
          run: async (page) => {
            await addRecord(page, [
              [/title/i, 'Lamp flickers'],
              [/status/i, 'open'],
            ])
            await sees(page, 'Lamp flickers')
            await control(page, /search|find|filter/i).fill('lamp')
            await page.getByText('Door sticks').first().waitFor({ state: 'hidden' })
            await sees(page, 'Lamp flickers')
          },
        },
      ],
    },
    {
      title: 'Can I change the status later?',
      outcome: 'replied',
      checks: [{ name: 'a question changes nothing', run: (page) => seesNot(page, /something went wrong/i) }],
    },
  ],
}
