import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { assetsQuery, beginUpload, finishUpload } from '../../api/uploads/assets.ts'
import { sendUpload } from '../../api/uploads/send-upload.ts'
import { cloudText } from '../../text/cloud.en.ts'
import { LoadFailure } from '../../ui/page/failure.tsx'
import { SectionPage } from '../../shell/section-page.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { AssetList } from './asset-list.tsx'
import { DropZone } from './drop-zone.tsx'
import { type Candidate, candidateOf, type UploadProblem, uploadProblem } from './upload-check.ts'
import { UploadList } from './upload-list.tsx'
import { UploadQueue } from '../../api/uploads/upload-queue.ts'
import { useStore } from '../../lib/store.ts'

export function Assets() {
  const { projectId } = useParams({ from: '/app/projects/$projectId/assets' })
  return <AssetsOf key={projectId} projectId={projectId} />
}

interface RefusedFile {
  name: string
  problem: UploadProblem
}

function AssetsOf({ projectId }: { projectId: string }) {
  const client = useQueryClient()
  const assets = useQuery(assetsQuery(projectId))
  const [queue] = useState(
    () => new UploadQueue(() => void client.invalidateQueries({ queryKey: queryKeys.assets(projectId) })),
  )
  const uploads = useStore(queue)
  const [refused, setRefused] = useState<RefusedFile[]>([])
  useEffect(() => () => queue.stop(), [queue])
  const queueFiles = (files: File[], folder: string) => {
    const taken = new Set(uploads.flatMap(({ state, path }) => (state === 'failed' ? [] : [path])))
    const checked = files.map((file) => {
      const about = candidateOf(file, folder)
      const problem = uploadProblem(about, taken)
      if (problem === null) taken.add(about.path)
      return { file, about, problem }
    })
    setRefused(checked.flatMap(({ file, problem }) => (problem ? [{ name: file.name, problem }] : [])))
    queue.add(
      checked
        .filter(({ problem }) => problem === null)
        .map(({ file, about }) => ({
          path: about.path,
          size: about.size,
          run: (signal, onSent) => sendFile(projectId, file, about, { signal, onSent }),
        })),
    )
  }
  return (
    <SectionPage projectId={projectId} title={cloudText.assets.title} lead={cloudText.assets.lead}>
      <div className="space-y-5">
        <DropZone onFiles={queueFiles} />
        {refused.length > 0 && <RefusedFiles files={refused} />}
        {uploads.length > 0 && <UploadList uploads={uploads} queue={queue} />}
        {assets.isPending && <AssetsSkeleton />}
        <LoadFailure query={assets} />
        {assets.data && <AssetList projectId={projectId} assets={assets.data} />}
      </div>
    </SectionPage>
  )
}

function RefusedFiles({ files }: { files: RefusedFile[] }) {
  return (
    <div role="alert" className="rounded-lg bg-kumo-danger-tint px-3.5 py-3 ring-1 ring-kumo-danger/25">
      <p className="font-medium text-kumo-strong">{cloudText.assets.refused}</p>
      <ul>
        {files.map(({ name, problem }, n) => (
          // The key is the position, because two files in different folders may have the same name.
          <li key={n} className="break-all">
            {name} {cloudText.assets.problems[problem]}
          </li>
        ))}
      </ul>
    </div>
  )
}

function AssetsSkeleton() {
  return (
    <Skeleton>
      <div className="space-y-4 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line">
        {[1, 2, 3].map((row) => (
          <div key={row} className="space-y-2">
            <Bar className="w-1/2" />
            <Bar className="w-1/4" />
          </div>
        ))}
      </div>
    </Skeleton>
  )
}

/**
 * Uploads one file: requests an upload ticket, sends the bytes to the upload worker and registers the asset.
 */
async function sendFile(
  projectId: string,
  file: File,
  about: Candidate,
  on: { signal: AbortSignal; onSent: (bytes: number) => void },
): Promise<void> {
  const begin = () => beginUpload(projectId, about, on.signal)
  const key = await sendUpload(file, about.contentType, begin, on)
  await finishUpload(projectId, key, on.signal)
}
