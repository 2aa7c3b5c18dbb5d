import { listPage, scriptApp } from '../answers.ts'
import { control, expectText } from '../steps.ts'
import type { Task } from '../task.ts'

const QUIZ_PAGE = `import { Button, NumberField, Page } from '@slipway/app/react'
import { useState } from 'react'
import { score } from '../../shared/score'

export default function Quiz() {
  const [legs, setLegs] = useState<number | null>(null)
  const [days, setDays] = useState<number | null>(null)
  const [result, setResult] = useState<string | null>(null)
  return (
    <Page title="Quiz">
      <NumberField label="Legs of a spider" value={legs} onChange={setLegs} />
      <NumberField label="Days of a leap year" value={days} onChange={setDays} />
      <Button onClick={() => setResult(score({ legs, days }))}>Check</Button>
      {result !== null && <p role="status">{result}</p>}
    </Page>
  )
}
`
const SCORE_TS = `export function score({ legs, days }: { legs: number | null; days: number | null }): string {
  const right = Number(legs === 8) + Number(days === 366)
  return right === 2 ? '2 of 2 right. Well done!' : \`\${right} of 2 right\`
}
`

export const task: Task = {
  name: 'quiz',
  about: 'answers that are counted, and a word of praise',
  requires: ['free-form'],
  tickets: [
    {
      title: 'A quiz of two questions',
      body: 'Two number fields, "Legs of a spider" (8) and "Days of a leap year" (366), and a button "Check" that says "1 of 2 right". With both right it says "2 of 2 right. Well done!". Nothing is stored.',
      script: scriptApp({
        name: 'Quiz',
        pages: [{ ...listPage('Quiz', ''), source: QUIZ_PAGE }],
        files: { 'shared/score.ts': SCORE_TS },
      }),
      checks: [
        {
          name: 'one right answer counts one',
          run: async (page) => {
            await control(page, /spider/i).fill('8')
            await control(page, /leap/i).fill('365')
            await page.getByRole('button', { name: /check/i }).click()
            await expectText(page, /\b1 of 2\b/)
          },
        },
        {
          name: 'both right answers are praised',
          run: async (page) => {
            await control(page, /spider/i).fill('8')
            await control(page, /leap/i).fill('366')
            await page.getByRole('button', { name: /check/i }).click()
            await expectText(page, /\b2 of 2\b.*well done/i)
          },
        },
      ],
    },
  ],
}
