import { listPage, scriptApp, TEXT_FIELD } from '../answers.ts'
import { addRecord, expectText, expectNoText, signIn } from '../steps.ts'
import type { Task } from '../task.ts'

const BOX_PAGE = `import { Page, RecordForm, showToast } from '@slipway/app/react'

export default () => (
  <Page title="Suggestions">
    <RecordForm collection="suggestions" submitLabel="Send" onSaved={() => showToast('Thank you.')} />
  </Page>
)
`

export const task: Task = {
  name: 'staff-desk',
  about: 'roles: visitors write, staff alone reads',
  requires: ['free-form'],
  tickets: [
    {
      title: 'A suggestion box',
      body: 'On the first page anyone, without an account, sends a suggestion (one field, "Suggestion"), and the page says "Thank you." Only staff read them, on the page "Desk" at /desk, which members may not open.',
      script: scriptApp({
        name: 'Suggestion box',
        uses: ['auth', 'data'],
        pages: [
          { ...listPage('Suggestions', ''), source: BOX_PAGE },
          { ...listPage('Desk', 'suggestions', '/desk'), access: 'staff' },
        ],
        collections: {
          suggestions: {
            partition: 'app',
            read: 'staff',
            write: 'public',
            fields: { suggestion: TEXT_FIELD },
          },
        },
      }),
      checks: [
        {
          name: 'a visitor sends a suggestion and is thanked',
          run: async (page) => {
            await addRecord(page, [[/suggestion/i, 'More tea']])
            await expectText(page, /thank you/i)
            await page.reload()
            await expectNoText(page, 'More tea')
          },
        },
        {
          name: 'a member does not get to the desk',
          run: async (page) => {
            await signIn(page, 'Ada')
            await page.goto(new URL('/desk', page.url()).href)
            await expectText(page, /staff|not allowed|no access|permission/i)
            await expectNoText(page, 'More tea')
          },
        },
      ],
    },
    {
      title: 'Let people say how urgent it is',
      body: 'A suggestion gets a second field "Urgency": low, normal or high.',
      script: scriptApp({
        name: 'Suggestion box',
        uses: ['auth', 'data'],
        pages: [
          { ...listPage('Suggestions', ''), source: BOX_PAGE },
          { ...listPage('Desk', 'suggestions', '/desk'), access: 'staff' },
        ],
        collections: {
          suggestions: {
            partition: 'app',
            read: 'staff',
            write: 'public',
            fields: { suggestion: TEXT_FIELD, urgency: { type: 'enum', values: ['low', 'normal', 'high'] } },
          },
        },
      }),
      checks: [
        {
          name: 'a visitor sends an urgent suggestion',
          run: async (page) => {
            await addRecord(page, [
              [/suggestion/i, 'Mend the roof'],
              [/urgency/i, 'high'],
            ])
            await expectText(page, /thank you/i)
          },
        },
      ],
    },
  ],
}
