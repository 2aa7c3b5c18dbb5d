import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { setDomain, storeDomain } from '../../api/project/domain.ts'
import { describeFailure } from '../../api/request/failures.ts'
import { cloudText } from '../../text/cloud.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { readHostname } from './steps.ts'

export function HostnameForm({ projectId }: { projectId: string }) {
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const set = useMutation({
    mutationFn: (hostname: string) => setDomain(projectId, hostname),
    onSuccess: (domain) => storeDomain(client, projectId, domain),
    onError: (error) => isOfField(error) && field.current?.focus(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const hostname = readHostname(typed)
    setMissing(hostname === null)
    if (hostname === null) field.current?.focus()
    else if (!set.isPending) set.mutate(hostname)
  }
  const ofField = isOfField(set.error) ? describeFailure(set.error).sentence : undefined
  const error = isMissing ? cloudText.domain.hostnameMissing : ofField
  return (
    <form noValidate onSubmit={submit} className="space-y-3">
      {set.isError && ofField === undefined && (
        <FailureNote title={cloudText.domain.notSet} error={set.error} takeFocus />
      )}
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <TextField
            ref={field}
            label={cloudText.domain.hostname}
            description={cloudText.domain.hostnameHint}
            {...(error !== undefined && { error })}
            value={typed}
            placeholder={cloudText.domain.placeholder}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <Button type="submit" variant="primary" className="sm:mt-[27px]" loading={set.isPending}>
          {cloudText.domain.set}
        </Button>
      </div>
    </form>
  )
}

const isOfField = (error: unknown) => describeFailure(error).field === 'hostname'
