import { listPage, scriptApp } from '../answers.ts'
import { control, expectText } from '../steps.ts'
import type { Task } from '../task.ts'

const tipsApp = (field: string, result: string) =>
  scriptApp({
    name: 'Tips',
    pages: [
      {
        ...listPage('Tips', ''),
        source: `import { NumberField, Page } from '@slipway/app/react'
import { useState } from 'react'

export default function Tips() {
  const [bill, setBill] = useState<number | null>(null)
  const [percent, setPercent] = useState<number | null>(15)
  ${field === '' ? '' : 'const [people, setPeople] = useState<number | null>(1)'}
  const tip = ((bill ?? 0) * (percent ?? 0)) / 100
  const total = (bill ?? 0) + tip
  return (
    <Page title="Tips">
      <NumberField label="Bill" value={bill} onChange={setBill} />
      <NumberField label="Tip percent" value={percent} onChange={setPercent} />
      ${field}
      <p>Tip {tip.toFixed(2)}</p>
      <p>Total {total.toFixed(2)}</p>
      ${result}
    </Page>
  )
}
`,
      },
    ],
  })

export const task: Task = {
  name: 'tip-calculator',
  about: 'a page that computes as you type',
  requires: ['free-form'],
  tickets: [
    {
      title: 'A tip calculator',
      body: 'One page with two number fields, "Bill" and "Tip percent" (15 at first). Below them "Tip" and "Total" follow at once, with two decimals. Nothing is stored.',
      script: tipsApp('', ''),
      checks: [
        {
          name: '80 with 15 percent is 12.00 and 92.00',
          run: async (page) => {
            await control(page, /bill/i).fill('80')
            await expectText(page, /12\.00/)
            await expectText(page, /92\.00/)
          },
        },
        {
          name: 'another percentage counts at once',
          run: async (page) => {
            await control(page, /bill/i).fill('50')
            await control(page, /percent/i).fill('20')
            await expectText(page, /10\.00/)
            await expectText(page, /60\.00/)
          },
        },
      ],
    },
    {
      title: 'Split the bill',
      body: 'Add a number field "People" (1 at first) and show "Each" = total divided by the people, with two decimals.',
      script: tipsApp(
        '<NumberField label="People" value={people} onChange={setPeople} />',
        '<p>Each {(total / (people ?? 1)).toFixed(2)}</p>',
      ),
      checks: [
        {
          name: '80 with 15 percent for four is 23.00 each',
          run: async (page) => {
            await control(page, /bill/i).fill('80')
            await control(page, /people/i).fill('4')
            await expectText(page, /23\.00/)
          },
        },
      ],
    },
  ],
}
