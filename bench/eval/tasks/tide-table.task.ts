import { FIRST_BUILD } from '../../worlds/sample-app.ts'
import { finish } from '../answers.ts'
import { expectText, expectNoText } from '../steps.ts'
import type { Task } from '../task.ts'

const editCall = (path: string, old: string, text: string) => ({
  name: 'edit_file',
  args: { path, old, new: text },
})

export const task: Task = {
  name: 'tide-table',
  about: 'a page of fixed facts, corrected by a small edit',
  requires: ['free-form'],
  tickets: [
    {
      title: 'Show the high water of two piers',
      body: 'North pier: high water at 06:40, 3.1 m. South pier: high water at 06:55, 2.9 m. One page, no records.',
      script: FIRST_BUILD,
      checks: [
        { name: 'the north pier is shown', run: (page) => expectText(page, /north pier/i) },
        { name: 'its height is 3.1 m', run: (page) => expectText(page, /3\.1\s*m/), until: 2 },
      ],
    },
    {
      title: 'The north pier is measured wrongly',
      body: 'High water at the north pier is 3.4 m, not 3.1 m. Nothing else changes.',
      type: 'bug',
      script: [
        { toolCalls: [editCall('shared/tides.ts', 'metres: 3.1', 'metres: 3.4')] },
        finish('The north pier shows 3.4 m.'),
      ],
      checks: [
        { name: 'its height is 3.4 m now', run: (page) => expectText(page, /3\.4\s*m/) },
        {
          name: 'the old height is gone',
          run: async (page) => {
            await expectText(page, /north pier/i)
            await expectNoText(page, /3\.1\s*m/)
          },
        },
        { name: 'the south pier is untouched', run: (page) => expectText(page, /2\.9\s*m/) },
      ],
    },
  ],
}
