import { useState } from 'react'
import go from '../../../snippets/receiver.go.txt?raw'
import node from '../../../snippets/receiver.mjs.txt?raw'
import php from '../../../snippets/receiver.php.txt?raw'
import python from '../../../snippets/receiver.py.txt?raw'
import { webhooksText } from '../../../text/webhooks.en.ts'
import { CodeSample } from '../../../ui/code/code-sample.tsx'
import { PillChoice } from '../../../ui/controls/pill-choice.tsx'
import { declaredKeys } from '../../../lib/fields.ts'

const RECEIVER_SAMPLES = { Node: node, Python: python, Go: go, PHP: php }
type SampleLanguage = keyof typeof RECEIVER_SAMPLES
const RECEIVER_LANGUAGES = declaredKeys(RECEIVER_SAMPLES)

export function ReceiverCode() {
  const [language, setLanguage] = useState<SampleLanguage>('Node')
  return (
    <>
      <PillChoice
        label={webhooksText.code.language}
        hideLabel
        value={language}
        options={RECEIVER_LANGUAGES.map((value) => ({ value, label: value }))}
        onChange={setLanguage}
      />
      <CodeSample
        label={`${webhooksText.code.title}: ${language}`}
        code={RECEIVER_SAMPLES[language].trim()}
      />
      <p className="text-[13px] text-kumo-subtle">{webhooksText.code.note}</p>
    </>
  )
}
