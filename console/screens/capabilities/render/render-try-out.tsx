import { DownloadSimpleIcon } from '@phosphor-icons/react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { type RenderedPage, renderSpendQuery, runRender } from './query.ts'
import { describeFailure } from '../../../api/request/failures.ts'
import { renderText } from './text.en.ts'
import { text } from '../../../text/en.ts'
import { saveFile } from '../../../ui/browser/save-file.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { formatSize } from '../../../lib/format.ts'
import { Panel } from '../../../ui/page/panel.tsx'

const URL_CHARS_MAX = 2000
const RENDER_FORMATS = ['screenshot', 'pdf', 'markdown'] as const
const FILE_NAMES: Record<RenderedPage['as'], string> = {
  screenshot: 'page.png',
  pdf: 'page.pdf',
  markdown: 'page.md',
}

interface RenderedBytes extends RenderedPage {
  bytes: Blob
  /** The page as Markdown. Null for other formats. */
  text: string | null
}

export function RenderTryOut({ projectId, isUsedUp }: { projectId: string; isUsedUp: boolean }) {
  const client = useQueryClient()
  const [url, setUrl] = useState('/')
  const [as, setAs] = useState<RenderedPage['as']>('screenshot')
  const run = useMutation({
    mutationFn: async (page: RenderedPage): Promise<RenderedBytes> => {
      const bytes = await runRender(projectId, page)
      return { ...page, bytes, text: page.as === 'markdown' ? await bytes.text() : null }
    },
    onSettled: () => client.invalidateQueries({ queryKey: renderSpendQuery(projectId).queryKey }),
  })
  const failure = run.isError ? describeFailure(run.error) : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!run.isPending) run.mutate({ as, url: url.trim() })
  }
  return (
    <Panel title={renderText.tryOut} hint={renderText.tryOutHint}>
      <form noValidate onSubmit={submit} className="space-y-3">
        <div className="flex flex-wrap items-start gap-3">
          <div className="min-w-0 flex-1 basis-64">
            <TextField
              label={renderText.url}
              description={renderText.urlHint}
              {...(failure?.field === 'url' && { error: failure.sentence })}
              value={url}
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={URL_CHARS_MAX}
              onChange={(event) => {
                setUrl(event.target.value)
                if (run.isError) run.reset()
              }}
            />
          </div>
          <div className="w-36 sm:mt-[27px]">
            <NativeSelect
              label={renderText.format}
              hideLabel
              value={as}
              options={RENDER_FORMATS.map((value) => ({ value, label: renderText.formats[value] }))}
              onChange={setAs}
            />
          </div>
        </div>
        <ReasonButton
          type="submit"
          variant="primary"
          loading={run.isPending}
          reason={
            isUsedUp ? renderText.noPagesLeft : url.trim() === '' ? text.common.fillIn(renderText.url) : null
          }
        >
          {renderText.run}
        </ReasonButton>
      </form>
      <div aria-live="polite" className="not-empty:mt-4">
        {run.isPending && <p className="text-kumo-subtle">{renderText.running}</p>}
        {run.isSuccess && <RenderResult page={run.data} />}
        {failure !== null && failure.field !== 'url' && (
          <FailureNote title={renderText.failed} error={run.error} />
        )}
      </div>
    </Panel>
  )
}

function RenderResult({ page }: { page: RenderedBytes }) {
  const { as, url, bytes, text } = page
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 break-words">
          <span className="font-medium text-kumo-strong">{renderText.formats[as]}</span>{' '}
          <span className="text-[13px] text-kumo-subtle">
            {url} · {formatSize(bytes.size)}
          </span>
        </p>
        <Button size="sm" icon={<DownloadSimpleIcon />} onClick={() => saveFile(FILE_NAMES[as], bytes)}>
          {renderText.download}
        </Button>
      </div>
      {as === 'screenshot' && <PagePicture bytes={bytes} alt={renderText.picture(url)} />}
      {text !== null && (
        <pre
          // Makes the text focusable, so that it can be scrolled with the keyboard.
          tabIndex={0}
          aria-label={renderText.text(url)}
          role="region"
          className="max-h-96 overflow-y-auto rounded-lg bg-kumo-recessed p-3 font-mono text-xs break-words whitespace-pre-wrap"
        >
          {text.trim() || renderText.noText}
        </pre>
      )}
    </div>
  )
}

function PagePicture({ bytes, alt }: { bytes: Blob; alt: string }) {
  const [url, setUrl] = useState('')
  useEffect(() => {
    const made = URL.createObjectURL(bytes)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes])
  if (url === '') return null
  return <img src={url} alt={alt} className="w-full rounded-lg ring-1 ring-kumo-line" />
}
