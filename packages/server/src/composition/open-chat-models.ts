import type { Config } from '../config/settings.js';
import type { ChatModel } from '../ports/chat-model.js';
import { endpointChatModel } from '../providers/chat/endpoint-chat-model.js';
import { scriptedChatModel } from '../providers/chat/scripted-chat-model.js';

/** Returns the configured model, if there is one, and the scripted one. Makes no requests. */
export function openChatModels({ chatUrl, chatModel, chatKey, chatTimeoutMs }: Config): ChatModel[] {
  if (chatUrl === undefined || chatModel === undefined) return [scriptedChatModel];
  const options = { baseUrl: chatUrl, model: chatModel, apiKey: chatKey, timeoutMs: chatTimeoutMs };
  return [endpointChatModel(options), scriptedChatModel];
}
