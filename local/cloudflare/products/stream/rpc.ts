import type { RpcCall } from '../../workerd/rpc.ts'
import { DirectUpload, toUploadShape, toVideoShape } from './shapes.ts'
import { type Video, VideoInput, type Videos } from './videos.ts'

/**
 * Handles an RPC call that an app makes with its Stream binding. Paths are `/create`, `/list`,
 * `/<uid>` and `/<uid>/<action>`.
 */
export async function handleStream(
  videos: Videos,
  { props, path, method, bytes }: RpcCall,
): Promise<Response> {
  const accountId = String(props['accountId'])
  const readJson = async (): Promise<unknown> => JSON.parse(new TextDecoder().decode(await bytes()))
  if (path === '/create') {
    const input = DirectUpload.safeParse(await readJson())
    if (!input.success)
      return respondWithError(400, `createDirectUpload(): ${input.error.issues[0]?.message ?? 'bad input'}`)
    return Response.json(toUploadShape(videos, videos.create(accountId, input.data)))
  }
  if (path === '/list') {
    return Response.json(videos.list(accountId).map((video) => toVideoShape(videos, video)))
  }
  const [, uid = '', what = ''] = path.split('/')
  const video = videos.find(uid, accountId)
  if (video === null) return respondWithError(404, 'Video not found')
  return await respondWithVideo(videos, video, what === '' ? method : what, readJson)
}

async function respondWithVideo(
  videos: Videos,
  video: Video,
  what: string,
  body: () => Promise<unknown>,
): Promise<Response> {
  switch (what) {
    case 'GET':
      return Response.json(toVideoShape(videos, video))
    case 'POST': {
      const input = VideoInput.safeParse(await body())
      if (!input.success)
        return respondWithError(400, `update(): ${input.error.issues[0]?.message ?? 'bad input'}`)
      return Response.json(toVideoShape(videos, videos.update(video, input.data)))
    }
    case 'DELETE':
      videos.remove(video)
      return Response.json(null)
    case 'token':
      return Response.json(videos.token(video))
    default:
      return respondWithError(501, `${what} is not available in the local cloud`)
  }
}

const respondWithError = (status: number, message: string) => Response.json({ message }, { status })
