// Server reflection, for programs such as grpcurl. Its packages are loaded with the first question, because few daemons
// are ever asked.
import { EventEmitter } from "node:events";
import {
  type handleBidiStreamingCall,
  type Server,
  type ServerDuplexStream,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { once } from "../../proto/machine/once.ts";
import { protoDir } from "../../proto/wire/schema.ts";

/** Older programs ask by the second name. */
const SERVICES = ["grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"];
const METHOD = "ServerReflectionInfo";
/** The public files, without the workers' own. */
const FILES = ["troupe/v1/browser.proto", "troupe/v1/control.proto", "troupe/v1/errors.proto"];

type Stream = ServerDuplexStream<Buffer, Buffer>;
/** The service of one version: how it reads questions and answers them. */
interface Reflection {
  method: ServiceDefinition[string];
  answer: handleBidiStreamingCall<object, object>;
}

/** Adds the reflection services to a server. */
export function addReflection(server: Server): void {
  for (const service of SERVICES)
    server.addService(definitionOf(service), { [METHOD]: (stream: Stream) => void serve(service, stream) });
}

/** Questions and answers pass as bytes, since their types are loaded later. */
function definitionOf(service: string): ServiceDefinition {
  const same = (bytes: Buffer) => bytes;
  return {
    [METHOD]: {
      path: `/${service}/${METHOD}`,
      requestStream: true,
      responseStream: true,
      requestSerialize: same,
      requestDeserialize: same,
      responseSerialize: same,
      responseDeserialize: same,
    },
  };
}

async function serve(service: string, stream: Stream): Promise<void> {
  const { method, answer } = (await reflections()).get(service) ?? unknown(service);
  const typed = Object.assign(new EventEmitter(), {
    write: (reply: object) => stream.write(method.responseSerialize(reply)),
    end: () => stream.end(),
  });
  answer(typed as unknown as ServerDuplexStream<object, object>);
  stream.on("end", () => typed.emit("end"));
  stream.on("data", (bytes: Buffer) => {
    try {
      typed.emit("data", method.requestDeserialize(bytes));
    } catch {
      stream.emit("error", { code: status.INVALID_ARGUMENT, details: "no request of server reflection" });
    }
  });
}

/** Returns the services by their names. */
const reflections: () => Promise<ReadonlyMap<string, Reflection>> = once(async () => {
  const [{ ReflectionService }, { loadSync }] = await Promise.all([
    import("@grpc/reflection"),
    import("@grpc/proto-loader"),
  ]);
  const found = new Map<string, Reflection>();
  const addService = (definition: ServiceDefinition, { [METHOD]: answer }: UntypedServiceImplementation) => {
    const { [METHOD]: method } = definition;
    if (method)
      found.set(method.path.split("/")[1] ?? "", { method, answer: answer as Reflection["answer"] });
  };
  const files = loadSync(FILES, { includeDirs: [protoDir], keepCase: true });
  new ReflectionService(files).addToServer({ addService } as Pick<Server, "addService"> as Server);
  return found;
});

function unknown(service: string): never {
  throw new Error(`@grpc/reflection has no ${service}`);
}
