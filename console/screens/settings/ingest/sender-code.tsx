import { useState } from 'react'
import node from '../../../snippets/idea.mjs.txt?raw'
import python from '../../../snippets/idea.py.txt?raw'
import shell from '../../../snippets/idea.sh.txt?raw'
import { ingestText } from '../../../text/ingest.en.ts'
import { CodeSample } from '../../../ui/code/code-sample.tsx'
import { PillChoice } from '../../../ui/controls/pill-choice.tsx'
import { declaredKeys } from '../../../lib/fields.ts'

const SENDER_SAMPLES = { curl: shell, Node: node, Python: python }
type SampleLanguage = keyof typeof SENDER_SAMPLES
const SENDER_LANGUAGES = declaredKeys(SENDER_SAMPLES)

export function SenderCode() {
  const [language, setLanguage] = useState<SampleLanguage>('curl')
  return (
    <>
      <PillChoice
        label={ingestText.code.language}
        hideLabel
        value={language}
        options={SENDER_LANGUAGES.map((value) => ({ value, label: value }))}
        onChange={setLanguage}
      />
      <CodeSample label={`${ingestText.code.title}: ${language}`} code={SENDER_SAMPLES[language].trim()} />
    </>
  )
}
