// Names the meant daemon in each call between daemons. Another one may have its address by now: after a restart, or by
// a mistake in the configuration.
import {
  InterceptingCall,
  type Interceptor,
  Metadata,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import { MEANT_DAEMON, OTHER_DAEMON } from "../../proto/wire/metadata.ts";

/** Names the daemon of this incarnation in every call to it. */
export function meaning(incarnation: string): Interceptor {
  return (options, nextCall) =>
    new InterceptingCall(nextCall(options), {
      start(metadata, listener, next) {
        metadata.set(MEANT_DAEMON, incarnation);
        next(metadata, listener);
      },
    });
}

/** Rejects calls that are meant for another daemon, before anything of them begins. An earlier version names none. */
export function onlyMeant(own: string): ServerInterceptor {
  return (_method, call) =>
    new ServerInterceptingCall(call, {
      start(next) {
        next({
          onReceiveMetadata(metadata, goOn) {
            const [meant = own] = metadata.get(MEANT_DAEMON);
            if (meant === own) return goOn(metadata);
            const answer = new Metadata();
            answer.set(OTHER_DAEMON, own);
            const details = "another daemon is meant, which had this address";
            call.sendStatus({ code: status.FAILED_PRECONDITION, details, metadata: answer });
          },
        });
      },
    });
}

/** Returns true if another daemon answered, which began nothing. */
export function isFromOther({ metadata }: Pick<ServiceError, "metadata">): boolean {
  return metadata !== undefined && metadata.get(OTHER_DAEMON).length > 0;
}
