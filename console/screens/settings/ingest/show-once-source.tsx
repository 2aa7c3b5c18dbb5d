import { ingestText } from '../../../text/ingest.en.ts'
import { CodeSample } from '../../../ui/code/code-sample.tsx'
import { ShowOnceContent } from '../../../ui/dialogs/show-once-dialog.tsx'
import { ShowOnceSecret } from '../../../ui/dialogs/show-once-secret.tsx'
import { SenderCode } from './sender-code.tsx'
import { TestIdea } from './test-idea.tsx'

export interface NewSource {
  id: string
  secret: string
  webhookUrl: string
  projectId: string
}

export function ShowOnceSource({ source, onClose }: { source: NewSource; onClose: () => void }) {
  const variables = [`SLIPWAY_IDEAS_URL=${source.webhookUrl}`, `SLIPWAY_IDEAS_SECRET=${source.secret}`]
  return (
    <ShowOnceContent
      title={ingestText.once.title}
      hint={ingestText.once.hint}
      saved={ingestText.once.saved}
      onClose={onClose}
    >
      <ShowOnceSecret label={ingestText.once.address} value={source.webhookUrl} />
      <ShowOnceSecret label={ingestText.once.secret} value={source.secret} />
      <CodeSample label={ingestText.once.env} code={variables.join('\n')} />
      <TestIdea source={source} />
      <details className="group">
        <summary className="min-h-6 cursor-pointer font-medium">{ingestText.code.title}</summary>
        <div className="mt-3 space-y-3">
          <SenderCode />
        </div>
      </details>
    </ShowOnceContent>
  )
}
