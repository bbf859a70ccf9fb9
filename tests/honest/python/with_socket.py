"""A server that thinks, on the machine's own address, and its client."""
import socket
import threading

import moves

server = socket.create_server(("127.0.0.1", 0))


def serve():
    connection, _ = server.accept()
    with connection:
        connection.recv(16)
        connection.sendall(moves.turn(*moves.read()).encode())


thread = threading.Thread(target=serve)
thread.start()
with socket.create_connection(server.getsockname()) as client:
    client.sendall(b"think\n")
    answer = b""
    while part := client.recv(4096):
        answer += part
thread.join()
moves.write(answer.decode())
