import * as z from 'zod'
import { type Video, VideoInput, type Videos } from './videos.ts'

/** A direct upload must limit the length of the video, as at the provider. */
export const DirectUpload = VideoInput.extend({ maxDurationSeconds: z.number().int().min(1).max(36_000) })

const ERROR_REASONS: Record<string, string> = {
  ERR_NON_VIDEO: 'The file was not recognized as a valid video file.',
  ERR_DURATION_EXCEED_CONSTRAINT: 'The video is longer than the upload allowed.',
}

const toIsoTime = (at: number | null) => (at === null ? null : new Date(at).toISOString())

/** Returns a video as the API shows it. Fields that are not simulated have the values of a video without that feature. */
export function toVideoShape(videos: Videos, video: Video): object {
  const state = videos.state(video)
  const isReady = state === 'ready'
  const videoUrl = `${videos.baseUrl()}/${video.uid}`
  return {
    uid: video.uid,
    // The binding also returns the `uid` as `id`.
    id: video.uid,
    creator: video.creator,
    meta: video.meta,
    thumbnail: `${videoUrl}/thumbnails/thumbnail.jpg`,
    thumbnailTimestampPct: 0,
    readyToStream: isReady,
    readyToStreamAt: isReady ? toIsoTime(video.modifiedAt) : null,
    status: {
      state,
      pctComplete: isReady ? '100' : '0',
      errorReasonCode: state === 'error' ? video.problem : '',
      errorReasonText: state === 'error' ? (ERROR_REASONS[video.problem ?? ''] ?? '') : '',
    },
    created: toIsoTime(video.createdAt),
    modified: toIsoTime(video.modifiedAt),
    uploaded: toIsoTime(video.uploadedAt),
    uploadExpiry: toIsoTime(video.uploadExpiresAt),
    scheduledDeletion: null,
    size: video.size,
    maxSizeBytes: null,
    maxDurationSeconds: video.maxDurationSeconds,
    // -1 until the length is known.
    duration: isReady ? (video.durationSeconds ?? -1) : -1,
    preview: `${videoUrl}/watch`,
    input: { width: -1, height: -1 },
    playback: { hls: `${videoUrl}/manifest/video.m3u8`, dash: `${videoUrl}/manifest/video.mpd` },
    hlsPlaybackUrl: `${videoUrl}/manifest/video.m3u8`,
    dashPlaybackUrl: `${videoUrl}/manifest/video.mpd`,
    requireSignedURLs: video.requiresSignedUrls,
    allowedOrigins: video.allowedOrigins,
    watermark: null,
    liveInput: null,
  }
}

/** Returns the response to a new direct upload: the id of the video and the URL for its file. */
export function toUploadShape(videos: Videos, video: Video): object {
  return {
    uid: video.uid,
    id: video.uid,
    uploadURL: `${videos.baseUrl()}/upload/${video.uid}`,
    scheduledDeletion: null,
    watermark: null,
  }
}
